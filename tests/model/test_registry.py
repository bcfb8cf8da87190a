"""Registries of records."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import pytest

from gyrostat.errors import GyrostatError
from gyrostat.model.record import Record
from gyrostat.model.registry import Registry


@dataclass(frozen=True)
class Animal(Record):
    @abstractmethod
    def sound(self): ...


@dataclass(frozen=True)
class Cat(Animal):
    tag: ClassVar[str] = "cat"

    def sound(self):
        return "meow"


@dataclass(frozen=True)
class Dog(Animal):
    def sound(self):
        return "woof"


@pytest.fixture
def animals():
    registry = Registry("animal", Animal)
    registry.add(Cat)
    registry.add(Dog)
    return registry


def test_classes_are_found_by_tag_or_else_by_name(animals):
    assert animals.tags == ("cat", "Dog")
    assert list(animals) == [Cat, Dog]
    assert animals.get("cat") is Cat
    assert animals.get("Dog") is Dog
    assert animals.get("Cat") is None
    assert animals.get(["cat"]) is None
    assert animals.tag_of(Dog()) == "Dog"
    assert animals.tag_of(Cat()) == "cat"


def test_an_unknown_word_gets_a_hint(animals):
    assert animals.hint("cart") == "Did you mean 'cat'?"
    assert animals.hint(7) == "Known: Dog, cat."


def test_adding_twice_is_adding_once_and_returns_the_class(animals):
    assert animals.add(Cat) is Cat
    assert animals.tags == ("cat", "Dog")


def test_a_tag_belongs_to_one_class(animals):
    @dataclass(frozen=True)
    class Tiger(Cat):
        pass

    with pytest.raises(
        GyrostatError, match=r"A animal with the name 'cat' is already registered\. Give the new one another name\."
    ):
        animals.add(Tiger)


@pytest.mark.parametrize("thing", [Animal, int, Record, 3, None])
def test_only_complete_classes_of_the_family_are_added(animals, thing):
    with pytest.raises(GyrostatError, match=r"is not a animal: derive it from Animal and define its methods\."):
        animals.add(thing)


def test_a_class_can_be_taken_out(animals):
    animals.remove("cat")
    animals.remove("cat")
    assert animals.tags == ("Dog",)
