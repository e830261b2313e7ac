//! What the AWS Lambda functions share.
