"""A real IMAP server for tests: Dovecot, with one mailbox in a folder of its own."""

import getpass
import grp
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

USER, PASSWORD = "club", "pass%word"
_CONFIG = """
base_dir = {folder}/run
state_dir = {folder}/run
log_path = {folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
mail_location = maildir:{folder}/mail
default_internal_user = {internal}
default_login_user = {login}
default_internal_group = {group}
first_valid_uid = 0
mail_uid = {uid}
mail_gid = {gid}
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={folder}/home
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service anvil {{
  chroot =
}}
"""


class ImapServer:
    """One mailbox; `deliver` puts a mail into it as a mail server would."""

    def __init__(self) -> None:
        self.program = shutil.which("dovecot") or shutil.which("dovecot", path="/usr/sbin")
        self.folder = Path(tempfile.mkdtemp(prefix="kp-imap-"))
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """As IMAP_URL says it."""
        return f"imap://{USER}:{PASSWORD.replace('%', '%25')}@127.0.0.1:{self.port}/INBOX"

    def start(self) -> None:
        """Start it and wait until it greets; RuntimeError with its log if it does not."""
        for name in ("run", "home", "mail/cur", "mail/new", "mail/tmp"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        user, root = getpass.getuser(), os.getuid() == 0
        nobody = pwd.getpwnam("nobody")
        owner = (nobody.pw_uid, nobody.pw_gid) if root else (os.getuid(), os.getgid())
        self.folder.chmod(0o755)
        for path in (self.folder, *self.folder.rglob("*")):
            os.chown(path, *owner)
        config = self.folder / "dovecot.conf"
        config.write_text(
            _CONFIG.format(
                folder=self.folder,
                internal="dovecot" if root else user,
                login="dovenull" if root else user,
                group="dovecot" if root else grp.getgrgid(os.getgid()).gr_name,
                uid=owner[0],
                gid=owner[1],
                password=PASSWORD.replace("%", "%%"),
                port=self.port,
            )
        )
        self.process = subprocess.Popen(
            [self.program, "-F", "-c", str(config)],
            stdout=subprocess.DEVNULL,
            stderr=(self.folder / "errors").open("wb"),
        )
        for _ in range(100):
            if self._greets():
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        told = [(self.folder / name) for name in ("errors", "log")]
        raise RuntimeError("\n".join(one.read_text() for one in told if one.exists()))

    def _greets(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as line:
                return line.recv(64).startswith(b"* OK")
        except OSError:
            return False

    def deliver(self, raw: bytes) -> None:
        """Put a mail into the mailbox."""
        name = f"{time.time_ns()}.test"
        draft = self.folder / "mail" / "tmp" / name
        draft.write_bytes(raw)
        draft.chmod(0o666)
        draft.rename(self.folder / "mail" / "new" / name)

    def unseen(self) -> int:
        """How many mails nobody has marked as seen."""
        mail = self.folder / "mail"
        seen = [path for path in (mail / "cur").iterdir() if "S" in path.name.rpartition(",")[2]]
        return len(list((mail / "new").iterdir())) + len(list((mail / "cur").iterdir())) - len(seen)

    def stop(self) -> None:
        """End it; the mailbox stays."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait(10)
            self.process = None

    def close(self) -> None:
        """End it and remove its folder."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
