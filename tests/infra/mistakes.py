"""Mistakes that somebody may make in the template. Each must be found by the check that it names: a check that nothing
can fail is worth nothing. `old` must stand in the file; its first occurrence is replaced."""

from typing import NamedTuple


class Mistake(NamedTuple):
    what: str
    by: str  # rules, cfn-lint or checkov
    old: str
    new: str
    file: str = "infra/template.yaml"


ALL = [
    # What CloudFormation would refuse, or take for something else.
    Mistake("a property misspelt", "cfn-lint", "KeySchema:", "KeySchem:"),
    Mistake("retention misspelt", "cfn-lint", "RetentionInDays:", "RetentionInDay:"),
    Mistake("a Ref to nothing", "cfn-lint", "!Ref McpLogs", "!Ref McpLog"),
    Mistake("a GetAtt of nothing", "cfn-lint", "Table.Arn", "Table.Am"),
    Mistake("an unknown runtime", "cfn-lint", "provided.al2023", "provided.al2024"),
    Mistake("a timeout beyond Lambda's", "cfn-lint", "Timeout: 900", "Timeout: 901"),
    Mistake("an action misspelt", "cfn-lint", "dynamodb:PutItem,", "dynamodb:PutItems,"),
    Mistake("a key of no attribute", "cfn-lint", "AttributeName: shard, KeyType", "AttributeName: shards, KeyType"),
    Mistake("a retention that is none", "cfn-lint", "[1, 3, 5,", "[1, 3, 6,"),
    Mistake("a condition that nothing uses", "cfn-lint", "\nGlobals:", "  Unused: !Equals [!Ref Stage, x]\n\nGlobals:"),
    # What is unwise in general.
    Mistake(
        "everything allowed",
        "checkov",
        "Action: lambda:InvokeFunction, Resource: !GetAtt ExportFunction.Arn",
        "Action: '*', Resource: '*'",
    ),
    Mistake("no recovery", "checkov", "PointInTimeRecoveryEnabled: true", "PointInTimeRecoveryEnabled: false"),
    Mistake("a secret in the environment", "checkov", "MEADOW_AUTH: token", "AWS_KEY: AKIAIOSFODNN7EXAMPLE"),
    # What is wrong for Meadow.
    Mistake("table deleted with the stack", "rules", "DeletionPolicy: Retain", "DeletionPolicy: Delete"),
    Mistake("table deleted with a change", "rules", "UpdateReplacePolicy: Retain", "UpdateReplacePolicy: Delete"),
    Mistake("prod unprotected", "rules", "!If [IsProd, true, false]", "!If [IsProd, false, true]"),
    Mistake("expiry by another attribute", "rules", "expires_at", "expiresAt"),
    Mistake("the whole item in the index", "rules", "KEYS_ONLY", "ALL"),
    Mistake("another way to build", "rules", "BuildMethod: rust-cargolambda", "BuildMethod: rust-cargo-lambda"),
    Mistake("another program", "rules", "Binary: health", "Binary: model"),
    Mistake("function longer than the gateway", "rules", "Timeout: 25", "Timeout: 30"),
    Mistake("no tracing", "rules", "Tracing: Active", "Tracing: PassThrough"),
    Mistake("no access mode", "rules", "MEADOW_AUTH: token", "MEADOW_AUTHENTICATION: token"),
    Mistake(
        "the host left out",
        "rules",
        "${Api}.execute-api.${AWS::Region}.${AWS::URLSuffix},${DomainName}",
        "${DomainName}",
    ),
    Mistake("another function's role", "rules", "Role: !GetAtt ModelRole.Arn", "Role: !GetAtt McpRole.Arn"),
    Mistake("another function's logs", "rules", "LogGroup: !Ref HealthLogs", "LogGroup: !Ref McpLogs"),
    Mistake("logs for ever", "rules", "RetentionInDays: !Ref LogRetentionDays", "Tags: []"),
    Mistake("an action too few", "rules", "dynamodb:BatchGetItem, ", ""),
    Mistake("any action on the table", "rules", "dynamodb:Query]", "dynamodb:*]"),
    Mistake(
        "any queue",
        "rules",
        "Action: sqs:SendMessage, Resource: !GetAtt FailedExports.Arn",
        "Action: sqs:SendMessage, Resource: '*'",
    ),
    Mistake(
        "request functions read the index",
        "rules",
        "Resource: !GetAtt Table.Arn",
        "Resource: !Sub '${Table.Arn}/index/changes'",
    ),
    Mistake("request functions write tokens", "rules", '["W#*"]', '["W#*", "TOKEN#*"]'),
    Mistake("cached answers beside the rest", "rules", '["CACHE#*"]', '["*"]'),
    Mistake("turns never given back", "rules", "[dynamodb:PutItem, dynamodb:UpdateItem]", "dynamodb:PutItem"),
    Mistake(
        "notes deleted with the stack",
        "rules",
        "AWS::S3::Bucket\n    DeletionPolicy: Retain",
        "AWS::S3::Bucket\n    DeletionPolicy: Delete",
    ),
    Mistake("notes without versions", "rules", "VersioningConfiguration: { Status: Enabled }", ""),
    Mistake("notes for everybody", "rules", "RestrictPublicBuckets: true", "RestrictPublicBuckets: false"),
    Mistake("notes in the clear", "rules", "Bool: { aws:SecureTransport", "BoolIfExists: { aws:SecureTransport"),
    Mistake("every object of the bucket", "rules", "${NotesBucket.Arn}/${NotesPrefix}/*", "${NotesBucket.Arn}/*"),
    Mistake("every name in the bucket", "rules", 's3:prefix: !Sub "${NotesPrefix}/*"', 's3:prefix: "*"'),
    Mistake("notes deleted by the function", "rules", "[s3:GetObject, s3:PutObject]", "[s3:DeleteObject, s3:PutObject]"),
    Mistake("a prefix that is none", "rules", '"^[A-Za-z0-9_-][A-Za-z0-9_.-]*(/', '"^[A-Za-z0-9_.-]*(/'),
    Mistake("the bucket not told", "rules", "MEADOW_NOTES_BUCKET", "MEADOW_BUCKET"),
    Mistake("a request without a key passes", "rules", '"Null": { dynamodb:LeadingKeys: "false" }', ""),
    Mistake(
        "any secret",
        "rules",
        "Action: secretsmanager:GetSecretValue, Resource: !Ref DatabaseSecretArn",
        "Action: secretsmanager:GetSecretValue, Resource: '*'",
    ),
    Mistake(
        "a gateway of anybody's",
        "rules",
        "SourceArn: !Sub arn:${AWS::Partition}:execute-api:${AWS::Region}:${AWS::AccountId}:${Api}/$default/GET/healthz",
        "EventSourceToken: x",
    ),
    Mistake("any route", "rules", "${Api}/$default/*/mcp", "${Api}/*/*"),
    Mistake("the old payload", "rules", 'PayloadFormatVersion: "2.0"', 'PayloadFormatVersion: "1.0"'),
    Mistake("a route without throttle", "rules", "GET /healthz:\n", "GET /health:\n"),
    Mistake("a header in the access log", "rules", "$context.integrationStatus", "$context.authorizer.token"),
    Mistake("five fields", "rules", "cron(15 2 * * ? *)", "cron(15 2 * * ?)"),
    Mistake("any text as schedule", "rules", r'"^cron\\(([^ ]+ ){5}[^ ]+\\)$"', '".*"'),
    Mistake("undelivered events lost", "rules", "DeadLetterConfig: { Arn: !GetAtt UndeliveredExports.Arn }", ""),
    Mistake("failed runs lost", "rules", "OnFailure: { Type: SQS, Destination: !GetAtt FailedExports.Arn }", "{}"),
    Mistake(
        "failed runs in the other queue",
        "rules",
        "OnFailure: { Type: SQS, Destination: !GetAtt FailedExports.Arn }",
        "OnFailure: { Type: SQS, Destination: !GetAtt UndeliveredExports.Arn }",
    ),
    Mistake("queues not encrypted", "rules", "SqsManagedSseEnabled: true", "SqsManagedSseEnabled: false"),
    Mistake(
        "an alarm on the wrong queue",
        "rules",
        "!GetAtt UndeliveredExports.QueueName",
        "!GetAtt FailedExports.QueueName",
    ),
    Mistake(
        "an export without a database",
        "rules",
        "Type: AWS::Scheduler::Schedule\n    Condition: Exports",
        "Type: AWS::Scheduler::Schedule",
    ),
    Mistake("endpoint without route tables", "rules", "Condition: MakesTableEndpoint", "Condition: InVpc"),
    Mistake(
        "an endpoint open to all",
        "rules",
        "SourceSecurityGroupId: !Select [0, !Ref SecurityGroupIds]",
        "CidrIp: 0.0.0.0/0",
    ),
    Mistake("a schedule at rest", "rules", "FlexibleTimeWindow:", "State: DISABLED\n      FlexibleTimeWindow:"),
    Mistake("some time or other", "rules", '{ Mode: "OFF" }', "{ Mode: FLEXIBLE, MaximumWindowInMinutes: 1440 }"),
    Mistake("pages of anybody's", "rules", "ProtocolType: HTTP", "CorsConfiguration: { AllowOrigins: ['*'] }"),
    Mistake(
        "signatures instead of tokens",
        "rules",
        "RouteKey: ANY /mcp",
        "RouteKey: ANY /mcp\n      AuthorizationType: AWS_IAM",
    ),
    Mistake("a role for everybody", "rules", "Principal: { Service: lambda.amazonaws.com }", 'Principal: "*"'),
    Mistake("a schedule of anybody's", "rules", "aws:SourceAccount: !Ref AWS::AccountId", "aws:SourceAccount: '1'"),
    Mistake("denied", "rules", "Effect: Allow\n", "Effect: Deny\n"),
    Mistake("an action among others", "rules", "[logs:CreateLogStream, ", "[dynamodb:PutItem, logs:CreateLogStream, "),
    Mistake("an alarm on no metric", "rules", "Namespace: AWS/Lambda", "Namespace: AWS/Functions"),
    Mistake("an alarm on the least", "rules", "Statistic: Maximum", "Statistic: Minimum"),
    Mistake("an endpoint that nobody finds", "rules", "PrivateDnsEnabled: true", "PrivateDnsEnabled: false"),
    Mistake("an endpoint of another service", "rules", "${AWS::Region}.dynamodb", "${AWS::Region}.s3"),
    Mistake("old TLS", "rules", "SecurityPolicy: TLS_1_2", "SecurityPolicy: TLS_1_0"),
    Mistake("a domain of no stage", "rules", "Stage: !Ref ApiStage", "Stage: $default"),
    Mistake("logs of errors only", "rules", "ApplicationLogLevel: !Ref LogLevel", "ApplicationLogLevel: ERROR"),
    Mistake("a password in a parameter", "rules", "://[^@ ]+", "://[^ ]+"),
    Mistake("no time for another run", "rules", "MaximumEventAgeInSeconds: 10800", "MaximumEventAgeInSeconds: 600"),
    Mistake("no first token", "rules", "  FirstToken:", "  Token:"),
    Mistake("prod deployed as dev", "rules", "Stage=prod", "Stage=dev", "samconfig.toml"),
]
