/** Packages whose awaited calls leave the process for something else than the database. */
export const slowPackages: ReadonlyMap<string, string> = new Map([
  ...['axios', 'got', 'ky', 'undici', 'node-fetch', 'cross-fetch', 'superagent', 'needle', 'request-promise', 'request-promise-native', 'ofetch', 'wretch', 'bent', 'phin', 'graphql-request', '@octokit/rest', '@octokit/core'].map((name) => [name, 'an HTTP request'] as const),
  ...['openai', '@anthropic-ai/sdk', '@google/generative-ai', '@google/genai', '@mistralai/mistralai', 'cohere-ai', 'ollama', 'ai', 'replicate', 'groq-sdk'].map((name) => [name, 'a call to a language model'] as const),
  ...['stripe', 'braintree', '@paypal/checkout-server-sdk', 'razorpay', 'square'].map((name) => [name, 'a call to a payment service'] as const),
  ...['nodemailer', '@sendgrid/mail', 'resend', 'postmark', 'mailgun.js', '@mailchimp/mailchimp_transactional', 'twilio'].map((name) => [name, 'sending a message'] as const),
  ...['googleapis', '@slack/web-api', '@slack/webhook', 'firebase-admin', '@sentry/node', 'web-push', 'expo-server-sdk'].map((name) => [name, 'a call to a web service'] as const),
  ...['bullmq', 'bull', 'amqplib', 'kafkajs', 'ioredis', 'redis', '@google-cloud/pubsub', 'nats'].map((name) => [name, 'a call to another service'] as const),
  ...['child_process', 'execa', 'zx', 'cross-spawn'].map((name) => [name, 'a child process'] as const),
  ...['timers/promises', 'delay', 'p-retry'].map((name) => [name, 'a timer'] as const),
  ...['http', 'https', 'http2'].map((name) => [name, 'an HTTP request'] as const),
  ...['puppeteer', 'playwright', 'playwright-core'].map((name) => [name, 'a browser'] as const),
]);

/** Scopes all of whose packages are such. */
export const slowScopes: readonly (readonly [prefix: string, what: string])[] = [
  ['@aws-sdk/', 'a call to AWS'],
  ['@google-cloud/', 'a call to Google Cloud'],
  ['@azure/', 'a call to Azure'],
  ['@sendgrid/', 'sending a message'],
];

/** Global functions of the same kind. */
export const slowGlobals: ReadonlyMap<string, string> = new Map([['fetch', 'an HTTP request']]);

/** Members of those packages that answer at once. */
export const quickMembers: ReadonlySet<string> = new Set(['isAxiosError', 'spawn', 'fork', 'createServer', 'Agent', 'isCancel']);
