"""One repair of kombu's Redis transport, without which a short outage of Redis stops a worker.

A worker takes a new message only while it owes few acknowledgements. kombu (seen in 5.7) counts
one that could not be sent, because Redis was away at that moment, as owed for ever: the worker
then waits for nothing, without an error, and never notices that Redis is back. Here it is counted
as done. Redis delivers the message again, which does no harm: every task may run twice.
"""

from typing import Any

from kombu.transport import redis, virtual


class ForgivingQoS(redis.QoS):
    """kombu's account of what is owed, which lets go of what cannot be acknowledged."""

    def ack(self, delivery_tag: Any) -> None:
        """Acknowledge a message; raises what the connection raises, but owes it no more."""
        try:
            super().ack(delivery_tag)
        except Exception:
            virtual.QoS.ack(self, delivery_tag)
            raise


def install() -> None:
    """Let all channels of this process account this way."""
    redis.Channel.QoS = ForgivingQoS
