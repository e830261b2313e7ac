"""Reads infra/template.yaml as CloudFormation sees it: translated from SAM, offline, and with given parameters."""

import logging

import boto3
from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator
from samtranslator.yaml_helper import yaml_parse

logging.getLogger("samtranslator.metrics").setLevel(logging.ERROR)  # it misses a place to send figures to

ABSENT = {"Ref": "AWS::NoValue"}


def translate(text):
    """The SAM template as plain CloudFormation."""
    template = yaml_parse(text)
    template["Globals"]["Function"]["CodeUri"] = "s3://bucket/function.zip"  # else it must have been uploaded
    defaults = {name: parameter.get("Default", "") for name, parameter in template["Parameters"].items()}
    session = boto3.session.Session(region_name="us-east-1")
    return Translator({}, Parser(), boto_session=session).translate(template, parameter_values=defaults)


def resolve(template, given=None):
    """The resources and outputs that there are with these parameters, each Condition and Fn::If decided.

    References to parameters become their values; references to resources stay.
    """
    values = {name: parameter.get("Default") for name, parameter in template["Parameters"].items()}
    unknown = set(given or {}) - set(values)
    if unknown:
        raise KeyError(f"no such parameter: {', '.join(sorted(unknown))}")
    values |= given or {}
    for name, parameter in template["Parameters"].items():
        if parameter["Type"] == "CommaDelimitedList":
            values[name] = values[name].split(",")
    conditions = template["Conditions"]

    def holds(condition):
        match condition:
            case {"Condition": name}:
                return holds(conditions[name])
            case {"Fn::Not": [inner]}:
                return not holds(inner)
            case {"Fn::And": parts}:
                return all(map(holds, parts))
            case {"Fn::Equals": [left, right]}:
                return plain(left) == plain(right)
        raise ValueError(f"what condition is {condition}?")

    def plain(value):
        match value:
            case {"Ref": name} if name in values:
                return values[name]
            case {"Fn::If": [name, yes, no]}:
                return plain(yes if holds(conditions[name]) else no)
            case {"Fn::Join": [glue, parts]} if isinstance(plain(parts), list):
                return glue.join(plain(parts))
            case {"Fn::Select": [index, parts]} if isinstance(plain(parts), list):
                return plain(parts)[index]
            case dict():
                return {key: done for key, inner in value.items() if (done := plain(inner)) != ABSENT}
            case list():
                return [done for inner in value if (done := plain(inner)) != ABSENT]
        return value

    def present(section):
        kept = {}
        for name, item in template[section].items():
            condition = item.get("Condition")
            if condition is None or holds(conditions[condition]):
                kept[name] = plain({key: part for key, part in item.items() if key != "Condition"})
        return kept

    return present("Resources"), present("Outputs")
