"""Fields of pydantic models that say in the reader's words what is wrong, and the way out."""

from collections.abc import Callable
from typing import Any, LiteralString, TypeVar

from pydantic import BaseModel, ValidationError, ValidatorFunctionWrapHandler, WrapValidator
from pydantic_core import PydanticCustomError

from core.text import _

Model = TypeVar("Model", bound=BaseModel)


def refused(code: LiteralString, text: str) -> PydanticCustomError:
    """Return the error to raise in a validator: `text` is what its reader is told."""
    return PydanticCustomError(code, "{text}", {"text": text})


def says(code: LiteralString, text: Callable[[], str]) -> WrapValidator:
    """Say this, in the reader's language, of every value that the field's own type refuses."""

    def check(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
        try:
            return handler(value)
        except ValidationError as error:
            raise refused(code, text()) from error

    return WrapValidator(check)


def within(allowed: range, code: LiteralString, text: Callable[[], str]) -> WrapValidator:
    """Say this, with its places {least} and {most}, of all but the whole numbers in a range."""

    def check(value: Any, handler: ValidatorFunctionWrapHandler) -> int:
        try:
            number = int(handler(value))
        except ValidationError:
            number = None
        if number is None or number not in allowed:
            raise refused(code, text().format(least=allowed[0], most=allowed[-1]))
        return number

    return WrapValidator(check)


def messages(error: ValidationError) -> str:
    """Return what is wrong, a sentence for each field, in the order of the fields."""
    return " ".join(
        one["ctx"]["text"]
        if "text" in one.get("ctx", {})
        else _("{field} cannot be {value}; take one of those that the form offers.").format(
            field=".".join(map(str, one["loc"])), value=one["input"]
        )
        for one in error.errors()
    )


def parse(model: type[Model], given: dict[str, Any]) -> tuple[Model, str]:
    """Return the model of what was given and "", or what is wrong and a model to fill a form with.

    The latter holds what was given also where it is wrong, so that nothing typed is lost.
    """
    try:
        return model.model_validate(given), ""
    except ValidationError as error:
        wrong = {str(one["loc"][0]) for one in error.errors()}
        sound, _more = parse(model, {k: v for k, v in given.items() if k not in wrong})
        typed = {
            name: given[key]
            for name, field in model.model_fields.items()
            if (key := field.alias or name) in wrong
        }
        return sound.model_copy(update=typed), messages(error)
