"""The servers that the other tests lean on do what their names say."""

import smtplib
from email.message import EmailMessage
from pathlib import Path

import psycopg
import pytest
import redis
import sqlalchemy

from tests.support.postgres_server import PostgresServer
from tests.support.redis_server import RedisServer
from tests.support.service import eventually
from tests.support.smtp_sink import SmtpSink


def send(sink: SmtpSink, text: str) -> None:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "a@example.org", "b@example.org", "Hej"
    message.set_content(text)
    with smtplib.SMTP("127.0.0.1", sink.port) as client:
        client.send_message(message)


def _on_disk(folder: Path, word: bytes) -> bool:
    return any(word in path.read_bytes() for path in folder.rglob("*.aof"))


def test_redis_is_emptied_and_survives_a_crash(redis_server: RedisServer, redis_url: str) -> None:
    client = redis.Redis.from_url(redis_url)
    assert client.dbsize() == 0
    client.rpush("queue", "kept")
    eventually(lambda: _on_disk(redis_server.directory, b"kept"))  # written within a second
    redis_server.stop(kill=True)
    with pytest.raises(redis.ConnectionError):
        redis.Redis.from_url(redis_url, retry=None).ping()
    redis_server.start()
    assert redis.Redis.from_url(redis_url).lrange("queue", 0, -1) == [b"kept"]


def test_databases_start_empty_on_both_kinds(engine_url: str) -> None:
    engine = sqlalchemy.create_engine(engine_url)
    with engine.begin() as connection:
        assert sqlalchemy.inspect(connection).get_table_names() == []
        connection.execute(sqlalchemy.text("CREATE TABLE one (id INTEGER)"))
    engine.dispose()


def test_a_postgresql_database_is_gone_after_its_test(postgres_server: PostgresServer) -> None:
    url = postgres_server.create_database()
    plain = url.replace("+psycopg", "")
    with psycopg.connect(plain):
        postgres_server.drop_database(url)
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(plain)


def test_the_sink_keeps_mail_and_refuses_for_a_while(smtp_sink: SmtpSink) -> None:
    send(smtp_sink, "first")
    assert smtp_sink.wait()[0].message.get_content().strip() == "first"
    smtp_sink.refuse(60)
    with pytest.raises(smtplib.SMTPResponseException) as refusal:
        send(smtp_sink, "second")
    assert refusal.value.smtp_code == 421
    smtp_sink.refuse(0)
    send(smtp_sink, "third")
    kept = smtp_sink.wait(lambda messages: len(messages) == 2)
    assert [one.message.get_content().strip() for one in kept] == ["first", "third"]
    assert smtp_sink.refused == 1
