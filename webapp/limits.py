"""How often somebody may ask: counted in Redis, or in this process while Redis is away."""

from flask import Flask, request
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from redis.backoff import NoBackoff
from redis.retry import Retry

from webapp import web
from webapp.identity import current_user


def _who() -> str:
    user = current_user()
    return f"user:{user.id}" if user else get_remote_address()


limiter = Limiter(_who, default_limits=["300 per minute"], headers_enabled=False)


def init_app(app: Flask) -> None:
    """Count in Redis; a broken Redis costs one short time-out and then nothing."""
    app.config.setdefault("RATELIMIT_STORAGE_URI", web.settings(app).limiter_url)
    app.config.setdefault(
        "RATELIMIT_STORAGE_OPTIONS",
        {"socket_timeout": 1, "socket_connect_timeout": 1, "retry": Retry(NoBackoff(), 0)},
    )
    app.config["RATELIMIT_IN_MEMORY_FALLBACK_ENABLED"] = True
    app.config["RATELIMIT_KEY_PREFIX"] = "kraftpost"
    limiter.init_app(app)
    limiter.request_filter(lambda: request.endpoint in ("static", "ops.health", "ops.metrics"))
