"""What must hold of the stack, one function a rule. Each yields what is wrong, in words; nothing is passing."""

import re
import tomllib
from pathlib import Path

from samtranslator.yaml_helper import yaml_parse

from template import resolve, translate

ROOT = Path(__file__).parents[2]

ACCOUNT = "arn:aws:{}:eu-west-1:123456789012:{}".format
DATABASE = {"DatabaseSecretArn": ACCOUNT("secretsmanager", "secret:db-AbCdEf")}
NETWORK = {
    "VpcId": "vpc-0a",
    "SubnetIds": "subnet-0a,subnet-0b",
    "SecurityGroupIds": "sg-0a",
    "RouteTableIds": "rtb-0a",
}
EVERYTHING = (
    DATABASE
    | NETWORK
    | {
        "Stage": "prod",
        "DatabaseUrl": "postgres://db.example.org:5432/analytics",
        "DatabaseCaLayerArn": ACCOUNT("lambda", "layer:rds-ca:1"),
        "AlarmTopicArn": ACCOUNT("sns", "alarms"),
        "DomainName": "models.example.org",
        "CertificateArn": ACCOUNT("acm", "certificate/1"),
        "RequestConcurrency": "20",
        "ExportConcurrency": "1",
    }
)

FUNCTIONS = {"mcp": "McpFunction", "model": "ModelFunction", "health": "HealthFunction", "export": "ExportFunction"}
ROUTES = {  # route -> function, and how its permission names it
    "ANY /mcp": ("McpFunction", "$default/*/mcp"),
    "$default": ("ModelFunction", "$default/$default"),
    "GET /healthz": ("HealthFunction", "$default/GET/healthz"),
}

# What each function may do: (actions, on what, keys of the table that are like this).
TABLE = "Table"
INDEX = "${Table.Arn}/index/changes"
REQUESTS = [
    ({"GetItem", "PutItem", "Query"}, TABLE, ["W#*"]),
    ({"DeleteItem"}, TABLE, ["W#*#D#*"]),
    ({"GetItem"}, TABLE, ["TOKEN#*"]),
]
SHARED = [
    ({"GetItem", "PutItem"}, TABLE, ["CACHE#*"]),
    ({"PutItem", "UpdateItem"}, TABLE, ["SLOT#*"]),
]
ON_THE_TABLE = {
    "McpFunction": REQUESTS + SHARED,
    "ModelFunction": REQUESTS,
    "HealthFunction": [({"GetItem"}, TABLE, ["W#default"])],
    "ExportFunction": [
        ({"Query"}, INDEX, None),
        ({"BatchGetItem", "GetItem"}, TABLE, ["W#*"]),
        ({"DeleteItem"}, TABLE, ["W#*#D#*"]),
    ],
}
# What people do to the table with credentials of their own, and no function does.
BY_OPERATORS = {"CreateTable", "DescribeTable"}
# What of S3 the vault calls, and which action allows it.
ON_THE_BUCKET = {
    "get_object": "s3:GetObject",
    "get_object_range": "s3:GetObject",
    "head_object": "s3:GetObject",
    "put_object": "s3:PutObject",
    "list_objects_v2": "s3:ListBucket",
}
# The only actions that may stand on every resource, and why.
ON_ALL_RESOURCES = {
    "xray:PutTelemetryRecords": "X-Ray has no resources to name",
    "xray:PutTraceSegments": "X-Ray has no resources to name",
    "ec2:AssignPrivateIpAddresses": "Lambda asks before the network interface has a name",
    "ec2:CreateNetworkInterface": "Lambda asks before the network interface has a name",
    "ec2:DeleteNetworkInterface": "Lambda asks before the network interface has a name",
    "ec2:DescribeNetworkInterfaces": "describing knows no resources",
    "ec2:DescribeSubnets": "describing knows no resources",
    "ec2:UnassignPrivateIpAddresses": "Lambda asks before the network interface has a name",
}
PARAMETER_OF_RETENTION = {"Ref": "LogRetentionDays"}


ALL = []


def rule(function):
    ALL.append(function)
    return function


class Stack:
    """The template as written, as translated, and as it comes out for three sets of parameters."""

    def __init__(self, text, settings):
        self.settings = tomllib.loads(settings)
        self.sam = yaml_parse(text)
        self.cloudformation = translate(text)
        self.default, self.default_outputs = resolve(self.cloudformation)
        self.export, _ = resolve(self.cloudformation, DATABASE)
        self.full, self.full_outputs = resolve(self.cloudformation, EVERYTHING)


def of_type(resources, kind):
    return {name: item["Properties"] for name, item in resources.items() if item["Type"] == kind}


def arn(name):
    return {"Fn::GetAtt": [name, "Arn"]}


def listed(value):
    return value if isinstance(value, list) else [value]


def differs(what, found, wanted):
    if found != wanted:
        yield f"{what} is {found!r}, should be {wanted!r}"


def role_of(resources, function):
    name = resources[function]["Properties"]["Role"]["Fn::GetAtt"][0]
    return name, resources[name]["Properties"]


def statements(role):
    for policy in role["Policies"]:
        yield from listed(policy["PolicyDocument"]["Statement"])


@rule
def table_keeps_what_it_holds(stack):
    for stage, resources, protected in (("dev", stack.default, False), ("prod", stack.full, True)):
        table = resources["Table"]
        yield from differs(
            f"{stage}: DeletionProtectionEnabled", table["Properties"]["DeletionProtectionEnabled"], protected
        )
        yield from differs(f"{stage}: DeletionPolicy", table.get("DeletionPolicy"), "Retain")
        yield from differs(f"{stage}: UpdateReplacePolicy", table.get("UpdateReplacePolicy"), "Retain")
        recovery = table["Properties"].get("PointInTimeRecoverySpecification")
        yield from differs(f"{stage}: recovery", recovery, {"PointInTimeRecoveryEnabled": True})
        yield from differs(f"{stage}: encryption", table["Properties"].get("SSESpecification"), {"SSEEnabled": True})


@rule
def table_has_the_shape_that_the_store_expects(stack):
    table = stack.default["Table"]["Properties"]

    def key(partition, sort):
        return [{"AttributeName": partition, "KeyType": "HASH"}, {"AttributeName": sort, "KeyType": "RANGE"}]

    yield from differs("billing", table["BillingMode"], "PAY_PER_REQUEST")
    yield from differs("key", table["KeySchema"], key("pk", "sk"))
    index = {"IndexName": "changes", "KeySchema": key("shard", "sort"), "Projection": {"ProjectionType": "KEYS_ONLY"}}
    yield from differs("indexes", table["GlobalSecondaryIndexes"], [index])
    attributes = {item["AttributeName"]: item["AttributeType"] for item in table["AttributeDefinitions"]}
    yield from differs("attributes", attributes, dict.fromkeys(("pk", "sk", "shard", "sort"), "S"))
    ttl = {"AttributeName": "expires_at", "Enabled": True}
    yield from differs("time to live", table.get("TimeToLiveSpecification"), ttl)


@rule
def functions_run_what_is_built(stack):
    bins = {path.stem for path in (ROOT / "functions/src/bin").iterdir()}
    yield from differs("functions", set(FUNCTIONS), bins)
    yield from differs("functions", set(FUNCTIONS.values()), set(of_type(stack.full, "AWS::Lambda::Function")))
    source = ROOT / "infra" / stack.sam["Globals"]["Function"]["CodeUri"]
    if not (source / "Cargo.toml").is_file():
        yield f"CodeUri {source} has no Cargo.toml"
    for binary, name in FUNCTIONS.items():
        wanted = {"BuildMethod": "rust-cargolambda", "BuildProperties": {"Binary": binary}}
        yield from differs(f"{name}: Metadata", stack.sam["Resources"][name].get("Metadata"), wanted)
        function = stack.full[name]["Properties"]
        yield from differs(f"{name}: Runtime", function["Runtime"], "provided.al2023")
        yield from differs(f"{name}: Architectures", function["Architectures"], ["arm64"])
        other = resolve(stack.cloudformation, DATABASE | {"Architecture": "x86_64"})[0][name]["Properties"]
        yield from differs(f"{name}: Architectures", other["Architectures"], ["x86_64"])
        yield from differs(f"{name}: tracing", function.get("TracingConfig"), {"Mode": "Active"})


@rule
def inner_timeouts_end_first(stack):
    for name in FUNCTIONS.values():
        wanted = 900 if name == "ExportFunction" else 25
        yield from differs(f"{name}: Timeout", stack.full[name]["Properties"]["Timeout"], wanted)
    for name, integration in of_type(stack.full, "AWS::ApiGatewayV2::Integration").items():
        yield from differs(f"{name}: TimeoutInMillis", integration.get("TimeoutInMillis"), 29000)


@rule
def functions_are_told_where_they_are(stack):
    host = "${Api}.execute-api.${AWS::Region}.${AWS::URLSuffix}"
    base = {"MEADOW_TABLE": {"Ref": "Table"}, "MEADOW_LOG": "INFO"}
    plain = base | {
        "MEADOW_AUTH": "token",
        "MEADOW_PUBLIC_URL": {"Fn::Sub": f"https://{host}"},
        "MEADOW_ALLOWED_HOSTS": {"Fn::Sub": host},
        "MEADOW_ALLOWED_ORIGINS": "",
    }
    named = plain | {
        "MEADOW_PUBLIC_URL": {"Fn::Sub": "https://${DomainName}"},
        "MEADOW_ALLOWED_HOSTS": {"Fn::Sub": f"{host},${{DomainName}}"},
    }
    research = {
        "MEADOW_NOTES_BUCKET": {"Ref": "NotesBucket"},
        "MEADOW_NOTES_PREFIX": "notes",
        "MEADOW_CONTACT": "",
        "MEADOW_S2_KEY": "",
    }
    secret = base | {"MEADOW_POSTGRES_SECRET": DATABASE["DatabaseSecretArn"]}
    named_database = secret | {
        "MEADOW_POSTGRES": EVERYTHING["DatabaseUrl"],
        "MEADOW_POSTGRES_CA": "/opt/global-bundle.pem",
    }
    for resources, name, wanted in (
        (stack.default, "McpFunction", plain | research),
        (stack.default, "ModelFunction", plain),
        (stack.full, "McpFunction", named | research),
        (stack.full, "ModelFunction", named),
        (stack.full, "HealthFunction", named),
        (stack.default, "HealthFunction", plain),
        (stack.export, "ExportFunction", secret),
        (stack.full, "ExportFunction", named_database),
    ):
        yield from differs(f"{name}: environment", resources[name]["Properties"]["Environment"]["Variables"], wanted)


@rule
def each_function_has_its_own_role_and_logs(stack):
    roles, groups = [], []
    for name in FUNCTIONS.values():
        role, properties = role_of(stack.full, name)
        roles.append(role)
        logging = stack.full[name]["Properties"].get("LoggingConfig", {})
        yield from differs(f"{name}: LogFormat", logging.get("LogFormat"), "JSON")
        yield from differs(f"{name}: ApplicationLogLevel", logging.get("ApplicationLogLevel"), "INFO")
        group = logging.get("LogGroup", {}).get("Ref")
        groups.append(group)
        logs = [
            statement
            for statement in statements(properties)
            if any(a.startswith("logs:") for a in listed(statement["Action"]))
        ]
        yield from differs(f"{role}: logs", [statement["Resource"] for statement in logs], [arn(group)])
    for kind, names in (("role", roles), ("log group", groups)):
        if len(set(names)) != len(FUNCTIONS):
            yield f"functions share a {kind}: {names}"


@rule
def logs_end_some_day(stack):
    groups = of_type(stack.cloudformation["Resources"], "AWS::Logs::LogGroup")
    yield from differs("number of log groups", len(groups), len(FUNCTIONS) + 1)
    for name, group in groups.items():
        yield from differs(f"{name}: RetentionInDays", group.get("RetentionInDays"), PARAMETER_OF_RETENTION)


@rule
def roles_may_do_only_what_they_need(stack):
    for name, role in of_type(stack.full, "AWS::IAM::Role").items():
        if "ManagedPolicyArns" in role:
            yield f"{name} has managed policies, which say more than is needed"
        for statement in statements(role):
            yield from differs(f"{name}: Effect", statement["Effect"], "Allow")
            # The rules below look at one service at a time.
            services = {action.split(":")[0] for action in listed(statement["Action"])}
            if len(services) != 1:
                yield f"{name}: one statement for {sorted(services)}"
            for action in listed(statement["Action"]):
                if "*" in action:
                    yield f"{name}: {action} is a wildcard"
                for resource in listed(statement["Resource"]):
                    if resource == "*" and action not in ON_ALL_RESOURCES:
                        yield f"{name}: {action} on every resource"
                    if isinstance(resource, str) and resource != "*" and "*" in resource:
                        yield f"{name}: {action} on {resource}"


@rule
def roles_are_taken_only_by_whom_they_are_for(stack):
    ours = {
        "aws:SourceAccount": {"Ref": "AWS::AccountId"},
        "aws:SourceArn": {
            "Fn::Sub": "arn:${AWS::Partition}:scheduler:${AWS::Region}:${AWS::AccountId}:schedule-group/default"
        },
    }
    schedule = {"Principal": {"Service": "scheduler.amazonaws.com"}, "Condition": {"StringEquals": ours}}
    for name, role in of_type(stack.full, "AWS::IAM::Role").items():
        whom = schedule if name == "ScheduleRole" else {"Principal": {"Service": "lambda.amazonaws.com"}}
        wanted = [{"Effect": "Allow", "Action": "sts:AssumeRole"} | whom]
        yield from differs(f"{name} is taken by", role["AssumeRolePolicyDocument"]["Statement"], wanted)


@rule
def functions_reach_only_their_part_of_the_table(stack):
    def on_the_table(statement):
        actions = {action.removeprefix("dynamodb:") for action in listed(statement["Action"])}
        resource = statement["Resource"]
        resource = TABLE if resource == arn(TABLE) else resource.get("Fn::Sub", resource)
        condition = statement.get("Condition")
        if condition is None:
            return actions, resource, None
        like = "ForAllValues:StringLike" if "ForAllValues:StringLike" in condition else "ForAllValues:StringEquals"
        keys = condition[like]["dynamodb:LeadingKeys"]
        # Without Null, a request that names no key would pass.
        guarded = {like: {"dynamodb:LeadingKeys": keys}, "Null": {"dynamodb:LeadingKeys": "false"}}
        return actions, resource, keys if condition == guarded else f"unguarded {keys}"

    for function, wanted in ON_THE_TABLE.items():
        name, role = role_of(stack.full, function)
        found = [
            on_the_table(statement)
            for statement in statements(role)
            if listed(statement["Action"])[0].startswith("dynamodb:")
        ]
        yield from differs(f"{name}: table", found, wanted)


@rule
def functions_may_do_what_the_store_does(stack):
    store = "".join(path.read_text() for path in (ROOT / "shared/dynamodb/src").glob("*.rs"))
    used = {name.title().replace("_", "") for name in re.findall(r"\bclient\s*\.(\w+)\(\)", store)}
    granted = {
        action.removeprefix("dynamodb:")
        for role in of_type(stack.full, "AWS::IAM::Role").values()
        for statement in statements(role)
        for action in listed(statement["Action"])
        if action.startswith("dynamodb:")
    }
    yield from differs("what functions may do to the table", granted, used - BY_OPERATORS)


@rule
def notes_are_kept_and_closed(stack):
    for stage, resources in (("dev", stack.default), ("prod", stack.full)):
        yield from differs(f"{stage}: buckets", set(of_type(resources, "AWS::S3::Bucket")), {"NotesBucket"})
        for name in ("NotesBucket", "NotesBucketPolicy"):
            for policy in ("DeletionPolicy", "UpdateReplacePolicy"):
                yield from differs(f"{stage}: {name}: {policy}", resources[name].get(policy), "Retain")
        bucket = resources["NotesBucket"]["Properties"]
        yield from differs(f"{stage}: versions", bucket.get("VersioningConfiguration"), {"Status": "Enabled"})
        rules = bucket["BucketEncryption"]["ServerSideEncryptionConfiguration"]
        wanted = [{"ServerSideEncryptionByDefault": {"SSEAlgorithm": "AES256"}}]
        yield from differs(f"{stage}: encryption", rules, wanted)
        closed = dict.fromkeys(
            ("BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets"), True
        )
        yield from differs(f"{stage}: public access", bucket.get("PublicAccessBlockConfiguration"), closed)
        policy = resources["NotesBucketPolicy"]["Properties"]
        yield from differs(f"{stage}: policy of", policy["Bucket"], {"Ref": "NotesBucket"})
        only_tls = {
            "Effect": "Deny",
            "Principal": "*",
            "Action": "s3:*",
            "Resource": [arn("NotesBucket"), {"Fn::Sub": "${NotesBucket.Arn}/*"}],
            "Condition": {"Bool": {"aws:SecureTransport": "false"}},
        }
        found = [
            {key: part for key, part in statement.items() if key != "Sid"}
            for statement in listed(policy["PolicyDocument"]["Statement"])
        ]
        yield from differs(f"{stage}: policy", found, [only_tls])
    pattern = stack.sam["Parameters"]["NotesPrefix"]["AllowedPattern"]
    for prefix in ("", "/", "a/", "/a", "a//b", "..", "a/../b", ".x", "a*"):
        if re.fullmatch(pattern, prefix):
            yield f"NotesPrefix takes {prefix!r}"


@rule
def only_mcp_reaches_the_notes(stack):
    sources = (path for path in (ROOT / "shared/vault-s3/src").glob("*.rs") if path.name != "tests.rs")
    vault = "".join(path.read_text() for path in sources)
    called = set(re.findall(r"\bclient\s*\.(\w+)\(", vault))
    yield from differs("what the vault calls", called, set(ON_THE_BUCKET))
    methods = set(re.findall(r'Ask::new\("(\w+)"', vault))
    yield from differs("methods that the vault sends", methods, {"GET", "HEAD", "PUT"})
    listing = {"StringLike": {"s3:prefix": {"Fn::Sub": "${NotesPrefix}/*"}}}
    wanted = [
        ({"s3:GetObject", "s3:PutObject"}, {"Fn::Sub": "${NotesBucket.Arn}/${NotesPrefix}/*"}, None),
        ({"s3:ListBucket"}, arn("NotesBucket"), listing),
    ]
    yield from differs("actions", set().union(*(actions for actions, _, _ in wanted)), set(ON_THE_BUCKET.values()))
    # As the template has it: a parameter in Fn::Sub stays one.
    for function in FUNCTIONS.values():
        name, role = role_of(stack.full, function)
        found = [
            (set(listed(statement["Action"])), statement["Resource"], statement.get("Condition"))
            for statement in statements(role)
            if any(action.startswith("s3:") for action in listed(statement["Action"]))
        ]
        yield from differs(f"{name}: notes", found, wanted if function == "McpFunction" else [])


@rule
def only_the_export_reads_the_secret(stack):
    for function in FUNCTIONS.values():
        name, role = role_of(stack.full, function)
        found = [
            (listed(statement["Action"]), statement["Resource"])
            for statement in statements(role)
            if any(action.startswith("secretsmanager:") for action in listed(statement["Action"]))
        ]
        wanted = (
            [(["secretsmanager:GetSecretValue"], DATABASE["DatabaseSecretArn"])] if function == "ExportFunction" else []
        )
        yield from differs(f"{name}: secrets", found, wanted)


@rule
def routes_lead_to_functions_that_let_them_in(stack):
    resources = stack.default
    integrations = of_type(resources, "AWS::ApiGatewayV2::Integration")
    # Meadow itself says which pages may ask (MEADOW_ALLOWED_ORIGINS) and who may.
    yield from differs("CORS of the gateway", resources["Api"]["Properties"].get("CorsConfiguration"), None)
    found = {}
    for route in of_type(resources, "AWS::ApiGatewayV2::Route").values():
        yield from differs(f"{route['RouteKey']}: AuthorizationType", route.get("AuthorizationType", "NONE"), "NONE")
        integration = integrations[route["Target"]["Fn::Sub"].removeprefix("integrations/${").removesuffix("}")]
        yield from differs(f"{route['RouteKey']}: payload", integration.get("PayloadFormatVersion"), "2.0")
        yield from differs(f"{route['RouteKey']}: integration", integration["IntegrationType"], "AWS_PROXY")
        found[route["RouteKey"]] = integration["IntegrationUri"]["Fn::GetAtt"][0]
    yield from differs("routes", found, {route: function for route, (function, _) in ROUTES.items()})
    gateway = "arn:${AWS::Partition}:execute-api:${AWS::Region}:${AWS::AccountId}:${Api}/"
    permissions = {
        permission["FunctionName"]["Ref"]: (permission["Principal"], permission["Action"], permission.get("SourceArn"))
        for permission in of_type(resources, "AWS::Lambda::Permission").values()
    }
    wanted = {
        function: ("apigateway.amazonaws.com", "lambda:InvokeFunction", {"Fn::Sub": gateway + source})
        for function, source in ROUTES.values()
    }
    yield from differs("permissions", permissions, wanted)


@rule
def domain_leads_to_the_stage(stack):
    (configuration,) = stack.full["Domain"]["Properties"]["DomainNameConfigurations"]
    yield from differs("SecurityPolicy", configuration.get("SecurityPolicy"), "TLS_1_2")
    mapping = stack.full["DomainMapping"]["Properties"]
    yield from differs("stage", (mapping["ApiId"], mapping["Stage"]), ({"Ref": "Api"}, {"Ref": "ApiStage"}))


@rule
def gateway_throttles_and_logs_no_headers(stack):
    stage = stack.default["ApiStage"]
    properties = stage["Properties"]
    yield from differs("stage", properties["StageName"], "$default")
    yield from differs("AutoDeploy", properties["AutoDeploy"], True)
    yield from differs("routes with a throttle", set(properties["RouteSettings"]), set(ROUTES))
    routes = of_type(stack.default, "AWS::ApiGatewayV2::Route")
    yield from differs("the stage waits for", set(stage["DependsOn"]), set(routes))
    for where, throttle in [("stage", properties["DefaultRouteSettings"]), *properties["RouteSettings"].items()]:
        for limit in ("ThrottlingRateLimit", "ThrottlingBurstLimit"):
            if not throttle.get(limit, 0) > 0:
                yield f"{where} has no {limit}"
    log = properties.get("AccessLogSettings", {})
    yield from differs("access log", log.get("DestinationArn"), arn("AccessLogs"))
    for field, value in re.findall(r'"(\w+)":"([^"]*)"', log.get("Format", "")):
        if not re.fullmatch(r"\$context\.[\w.]+", value) or re.search(r"(?i)header|path$|userAgent|authorizer", value):
            yield f"access log writes {value!r} as {field}"
    if "$context.requestId" not in log.get("Format", ""):
        yield "access log has no request id"


@rule
def schedule_starts_the_export_every_night(stack):
    pattern = stack.sam["Parameters"]["ExportSchedule"]["AllowedPattern"]
    for text, fine in (
        ("cron(0 3 * * ? *)", True),
        ("cron(0 3 * * ?)", False),
        ("0 3 * * ? *", False),
        ("rate(1 day)", False),
    ):
        yield from differs(f"ExportSchedule accepts {text}", bool(re.fullmatch(pattern, text)), fine)
    schedule = stack.full["ExportNightly"]["Properties"]
    fields = re.fullmatch(r"cron\((.*)\)", schedule["ScheduleExpression"])
    if not fields or len(fields[1].split()) != 6:
        yield f"{schedule['ScheduleExpression']} has not the six fields of EventBridge"
    elif "?" not in (fields[1].split()[2], fields[1].split()[4]):
        yield f"{schedule['ScheduleExpression']}: day of month or day of week must be ?"
    yield from differs(
        "time zone",
        stack.cloudformation["Resources"]["ExportNightly"]["Properties"]["ScheduleExpressionTimezone"],
        {"Ref": "ExportTimezone"},
    )
    yield from differs("State", schedule.get("State", "ENABLED"), "ENABLED")
    yield from differs("FlexibleTimeWindow", schedule["FlexibleTimeWindow"], {"Mode": "OFF"})
    target = schedule["Target"]
    yield from differs("target", target["Arn"], arn("ExportFunction"))
    yield from differs("target's role", target["RoleArn"], arn("ScheduleRole"))
    may = [
        (statement["Action"], statement["Resource"])
        for statement in statements(stack.full["ScheduleRole"]["Properties"])
    ]
    wanted = [("lambda:InvokeFunction", arn("ExportFunction")), ("sqs:SendMessage", arn("UndeliveredExports"))]
    yield from differs("ScheduleRole", may, wanted)


@rule
def failures_of_the_export_are_kept_and_told(stack):
    target = stack.full["ExportNightly"]["Properties"]["Target"]
    yield from differs("undelivered", target.get("DeadLetterConfig"), {"Arn": arn("UndeliveredExports")})
    if not 0 < target.get("RetryPolicy", {}).get("MaximumRetryAttempts", 0) <= 185:
        yield "the schedule does not try again"
    config = stack.full["ExportFunctionEventInvokeConfig"]["Properties"]
    yield from differs("failed", config.get("DestinationConfig"), {"OnFailure": {"Destination": arn("FailedExports")}})
    yield from differs("attempts", config.get("MaximumRetryAttempts"), 2)
    if config.get("MaximumEventAgeInSeconds", 0) < 3 * 900:
        yield "the event is dropped before three runs of 900 s are over"
    _, role = role_of(stack.full, "ExportFunction")
    may = [statement["Resource"] for statement in statements(role) if statement["Action"] == "sqs:SendMessage"]
    yield from differs("ExportFunction may send to", may, [arn("FailedExports")])
    queues = of_type(stack.full, "AWS::SQS::Queue")
    yield from differs("queues", set(queues), {"UndeliveredExports", "FailedExports"})
    for name, queue in queues.items():
        yield from differs(name, queue, {"MessageRetentionPeriod": 14 * 24 * 3600, "SqsManagedSseEnabled": True})
    watched = set()
    for name, alarm in of_type(stack.full, "AWS::CloudWatch::Alarm").items():
        metric = (alarm["Namespace"], alarm["MetricName"], alarm["Statistic"])
        watched.add((metric, str(alarm["Dimensions"][0]["Value"])))
        yield from differs(f"{name}: actions", alarm.get("AlarmActions"), [EVERYTHING["AlarmTopicArn"]])
        yield from differs(f"{name}: silent", stack.export[name]["Properties"].get("AlarmActions"), None)
        limit = (alarm["Threshold"], alarm["ComparisonOperator"])
        yield from differs(f"{name}: limit", limit, (1, "GreaterThanOrEqualToThreshold"))
    depth = ("AWS/SQS", "ApproximateNumberOfMessagesVisible", "Maximum")
    wanted = {(depth, str({"Fn::GetAtt": [name, "QueueName"]})) for name in queues} | {
        (("AWS/Lambda", "Errors", "Sum"), str({"Ref": "ExportFunction"}))
    }
    yield from differs("alarms watch", watched, wanted)


@rule
def export_needs_a_database(stack):
    left = [name for name in stack.default if "Export" in name or name in ("ScheduleRole",)]
    yield from differs("without a database there are", left, [])
    for name in ("ExportFunction", "ExportNightly"):
        if name not in stack.export:
            yield f"with a database there is no {name}"
    # A parameter is shown to whoever may see the stack.
    if re.fullmatch(stack.sam["Parameters"]["DatabaseUrl"]["AllowedPattern"], "postgres://app:secret@db/x"):
        yield "DatabaseUrl takes a password"


@rule
def network_is_joined_only_when_named(stack):
    endpoints = ("TableEndpoint", "SecretsManagerEndpoint")

    def network(resources):
        _, role = role_of(resources, "ExportFunction")
        acts = any(
            action.startswith("ec2:") for statement in statements(role) for action in listed(statement["Action"])
        )
        return (
            "VpcConfig" in resources["ExportFunction"]["Properties"],
            acts,
            *(name in resources for name in endpoints),
        )

    for given, wanted in (
        ({}, (False, False, False, False)),
        ({"RouteTableIds": "rtb-0a"}, (False, False, False, False)),
        (NETWORK, (True, True, True, True)),
        (NETWORK | {"RouteTableIds": ""}, (True, True, False, True)),
        (NETWORK | {"SecretsEndpoint": "false"}, (True, True, True, False)),
    ):
        yield from differs(f"network with {given}", network(resolve(stack.cloudformation, DATABASE | given)[0]), wanted)
    without = [name for name in resolve(stack.cloudformation, NETWORK)[0] if name in endpoints]
    yield from differs("endpoints without an export", without, [])
    table = stack.full["TableEndpoint"]["Properties"]
    doors = [
        (door["FromPort"], door["ToPort"], door.get("SourceSecurityGroupId"))
        for door in stack.full["SecretsManagerEndpointGroup"]["Properties"]["SecurityGroupIngress"]
    ]
    yield from differs("SecretsManagerEndpointGroup", doors, [(443, 443, "sg-0a")])
    yield from differs("TableEndpoint", (table["VpcEndpointType"], table["RouteTableIds"]), ("Gateway", ["rtb-0a"]))
    secrets = stack.full["SecretsManagerEndpoint"]["Properties"]
    yield from differs("SecretsManagerEndpoint", secrets.get("PrivateDnsEnabled"), True)
    for endpoint, service in ((table, "dynamodb"), (secrets, "secretsmanager")):
        name = {"Fn::Sub": f"com.amazonaws.${{AWS::Region}}.{service}"}
        yield from differs("endpoint", endpoint["ServiceName"], name)


@rule
def outputs_say_how_to_go_on(stack):
    always = {"ApiUrl", "McpUrl", "TableName", "NotesBucketName", "FirstToken"}
    yield from differs("outputs", set(stack.default_outputs), always)
    more = {"DomainTarget", "ExportFunctionName", "UndeliveredExportsUrl", "FailedExportsUrl"}
    yield from differs("outputs", set(stack.full_outputs), always | more)
    token = {"Fn::Sub": "meadow token new --name first --store dynamodb:${Table}"}
    yield from differs("FirstToken", stack.default_outputs.get("FirstToken", {}).get("Value"), token)


@rule
def settings_of_sam_name_real_things(stack):
    for environment, stage in (("default", "dev"), ("prod", "prod")):
        if not (ROOT / stack.settings[environment]["build"]["parameters"]["template_file"]).is_file():
            yield f"{environment}: there is no template"
        deploy = stack.settings[environment]["deploy"]["parameters"]
        yield from differs(f"{environment}: capabilities", deploy["capabilities"], "CAPABILITY_IAM")
        given = dict(item.split("=", 1) for item in deploy["parameter_overrides"])
        yield from differs(f"{environment}: Stage", given.get("Stage"), stage)
        for name in set(given) - set(stack.sam["Parameters"]):
            yield f"{environment}: there is no parameter {name}"
