/** What a package's calls wait for, when it is something outside of the process that is not the database. */
export interface SlowPackage {
  readonly what: string;
  /** Members that do; all, unless given. Tested against each name of a chain such as `webhooks.constructEvent`. */
  readonly only?: RegExp;
  /** Members that answer at once, by the last name of the chain. */
  readonly quick?: RegExp;
  /** Members whose own members all answer at once: what makes servers, credentials, headers. */
  readonly local?: RegExp;
}

const httpClient: SlowPackage = {
  what: 'an HTTP request',
  quick:
    /^(?:create|extend|instance|defaults|interceptors|is[A-Z]\w*|toFormData|Agent\w*|agent|setGlobalDispatcher|MockAgent)$/u,
};
const model: SlowPackage = { what: 'a call to a language model' };
const payment: SlowPackage = {
  what: 'a call to a payment service',
  quick:
    /^(?:constructEvent\w*|generateTestHeaderString\w*|createFetchHttpClient|createNodeHttpClient)$/u,
};
const messages: SlowPackage = {
  what: 'a call to a messaging service',
  quick: /^(?:createTransport|createTestAccount|setApiKey|getTestMessageUrl)$/u,
};
const webService: SlowPackage = {
  what: 'a call to a web service',
  quick: /^(?:initializeApp|applicationDefault|cert|getApps?|generateVAPIDKeys|setVapidDetails)$/u,
};
const store: SlowPackage = {
  what: 'a call to another data store',
  quick:
    /^(?:createClient|createCluster|duplicate|defineCommand|multi|pipeline|toString|ObjectId)$/u,
};
const queue: SlowPackage = {
  what: 'a call to a message queue',
  quick: /^(?:process|run|consumer|producer|admin)$/u,
};
/** Version 0.10 `lib/channel_model.js`: what a channel sends is written into the socket's buffer. */
const channel: SlowPackage = {
  what: 'a call to a message queue',
  quick: /^(?:publish|sendToQueue|ack|ackAll|nack|nackAll|reject)$/u,
};
/** `@grpc/grpc-js` 1.13 `src/index.ts`, `src/client.ts` */
const remoteCall: SlowPackage = {
  what: 'a call to another service',
  quick:
    /^(?:loadPackageDefinition|load|make\w*Constructor|close|getChannel|getClientChannel|setLogger|setLogVerbosity)$/u,
  local: /^(?:Metadata|credentials|\w+Credentials|status|Server)$/u,
};
const storage: SlowPackage = { what: 'a call to a storage service', quick: /^(?:bucket|file)$/u };
const search: SlowPackage = { what: 'a call to a search service' };
const chain: SlowPackage = {
  what: 'a call to a blockchain node',
  only: /^(?:get[A-Z]\w*|send\w*|wait\w*|estimate\w*|call|broadcast\w*|read\w*|simulate\w*|write\w*|request\w*|resolveName|lookupAddress|confirm\w*|deploy|eth|rpc|Contract)$/u,
  quick:
    /^(?:getAddress|getCreateAddress|getCreate2Address|getBytes|getDefaultProvider|getContract|getContractAddress|getAbiItem|getAssociatedTokenAddressSync|getFunction|getEvent)$/u,
};
const process: SlowPackage = {
  what: 'a child process',
  only: /^(?:exec|execFile|default|\*|\$|execa\w*|x|within|spawn\$)$/u,
};
const timer: SlowPackage = { what: 'a timer', quick: /^(?:setImmediate|yield)$/u };
const browser: SlowPackage = { what: 'a call to a browser' };
const remoteFiles: SlowPackage = { what: 'a call to a remote file system' };

const named = <Row>(names: string, row: Row): readonly (readonly [string, Row])[] =>
  names.split(/\s+/u).map((name) => [name, row] as const);

/** By the package's name. */
export const slowPackages: ReadonlyMap<string, SlowPackage> = new Map([
  ...named(
    'axios got ky undici node-fetch cross-fetch isomorphic-fetch isomorphic-unfetch node-fetch-native make-fetch-happen minipass-fetch fetch-retry axios-retry superagent needle request request-promise request-promise-native ofetch wretch bent phin graphql-request @octokit/rest @octokit/core @octokit/graphql @octokit/request octokit soap @apollo/client openid-client gaxios @nestjs/axios axios-cache-interceptor redaxios xior urllib @hapi/wreck typed-rest-client @octokit/app',
    httpClient,
  ),
  ...named('http https http2', {
    what: 'an HTTP request',
    only: /^(?:request|get|connect)$/u,
    local: /^createServer$/u,
  }),
  ...named(
    'openai @anthropic-ai/sdk @google/generative-ai @google/genai @mistralai/mistralai cohere-ai ollama replicate groq-sdk together-ai @huggingface/inference @xenova/transformers voyageai @pinecone-database/pinecone @qdrant/js-client-rest chromadb weaviate-ts-client',
    model,
  ),
  ...named('ai', {
    what: 'a call to a language model',
    only: /^(?:generate\w+|embed\w*|transcribe|rerank|experimental_\w+)$/u,
  }),
  ...named(
    'stripe braintree @paypal/checkout-server-sdk @paypal/paypal-server-sdk razorpay square squareup @mollie/api-client @adyen/api-library plaid mercadopago paystack flutterwave-node-v3 @lemonsqueezy/lemonsqueezy.js @polar-sh/sdk @paddle/paddle-node-sdk chargebee recurly',
    payment,
  ),
  ...named(
    'nodemailer @sendgrid/mail resend postmark mailgun.js mailgun-js @mailchimp/mailchimp_transactional @getbrevo/brevo sib-api-v3-sdk node-mailjet mandrill-api emailjs twilio plivo @vonage/server-sdk messagebird africastalking @nestjs-modules/mailer sparkpost @novu/node @novu/api @knocklabs/node loops email-templates',
    messages,
  ),
  ...named(
    'googleapis @slack/web-api @slack/webhook @slack/bolt discord.js telegraf node-telegram-bot-api grammy firebase-admin web-push expo-server-sdk @hubspot/api-client @notionhq/client airtable intercom-client @clerk/clerk-sdk-node @clerk/backend auth0 @supabase/supabase-js @linear/sdk twitter-api-v2 cloudinary imagekit @sanity/client contentful algoliasearch @workos-inc/node jsforce apn @parse/node-apn onesignal-node pusher ably google-auth-library @microsoft/microsoft-graph-client @keycloak/keycloak-admin-client @openfga/sdk ldapts dockerode @kubernetes/client-node deepl-node',
    webService,
  ),
  ...named('@interledger/open-payments', {
    ...webService,
    quick: /^create(?:Una|A)uthenticatedClient$/u,
  }),
  ...named('@sentry/node @sentry/nextjs @sentry/core', {
    what: 'a call to a web service',
    only: /^(?:flush|close)$/u,
  }),
  ...named(
    'ioredis redis iovalkey @redis/client @valkey/valkey-glide mongodb mongoose memcached memjs cassandra-driver @clickhouse/client neo4j-driver',
    store,
  ),
  ...named(
    'bullmq bull bee-queue amqp-connection-manager kafkajs @confluentinc/kafka-javascript node-rdkafka nats mqtt @temporalio/client inngest sqs-producer',
    queue,
  ),
  ...named('amqplib amqplib/callback_api', channel),
  ...named('@trigger.dev/sdk @trigger.dev/sdk/v3', {
    what: 'a call to a message queue',
    only: /^(?:trigger\w*|batchTrigger\w*)$/u,
  }),
  ...named('@grpc/grpc-js grpc', remoteCall),
  ...named('@nestjs/microservices', {
    ...remoteCall,
    only: /^(?:Client(?:Proxy|Kafka\w*|RMQ|Redis|TCP|NATS|Nats|Mqtt|Grpc\w*))$/u,
    quick: /^(?:getService|getClientByServiceName|subscribeToResponseOf|close)$/u,
  }),
  ...named('@authzed/authzed-node', {
    ...remoteCall,
    only: /^(?:NewClient\w*)$/u,
    quick: /^(?:NewClient\w*|close)$/u,
  }),
  ...named('rxjs', { what: 'a timer', only: /^timer$/u }),
  ...named('@elastic/elasticsearch @opensearch-project/opensearch meilisearch typesense', search),
  ...named('aws-sdk', { what: 'a call to AWS' }),
  ...named('minio @vercel/blob', storage),
  ...named(
    'ethers viem web3 @solana/web3.js near-api-js @polkadot/api @mysten/sui alchemy-sdk tronweb xrpl stellar-sdk @stellar/stellar-sdk',
    chain,
  ),
  ...named('child_process execa zx cross-spawn tinyexec nano-spawn shelljs', process),
  ...named('fluent-ffmpeg', { what: 'a child process' }),
  ...named('timers/promises delay', timer),
  ...named('puppeteer puppeteer-core puppeteer-extra playwright playwright-core', browser),
  ...named('ssh2 ssh2-sftp-client ssh2-promise node-ssh basic-ftp ftp webdav', remoteFiles),
  ...named('dns/promises', { what: 'a DNS query', only: /^(?:lookup|resolve\w*|reverse)$/u }),
]);

/** Scopes all of whose packages are such. */
export const slowScopes: readonly (readonly [prefix: string, slow: SlowPackage])[] = [
  ['@aws-sdk/', { what: 'a call to AWS' }],
  ['aws-sdk/', { what: 'a call to AWS' }],
  [
    '@google-cloud/',
    {
      what: 'a call to Google Cloud',
      quick: /^(?:bucket|file|topic|subscription|dataset|queuePath)$/u,
    },
  ],
  [
    '@azure/',
    {
      what: 'a call to Azure',
      quick: /^(?:fromConnectionString|create(?:Sender|Receiver)|get\w+Client|generate\w*SasUrl)$/u,
    },
  ],
  ['@googleapis/', webService],
  ['firebase-admin/', webService],
  ['@upstash/', store],
  ['@sendgrid/', messages],
];

/** Global functions of the same kind. */
export const slowGlobals: ReadonlyMap<string, string> = new Map([['fetch', 'an HTTP request']]);

/** Calls of packages that wait for what they are given, or call it and wait for that. */
export const waitingCalls: ReadonlyMap<string, RegExp> = new Map([
  ['rxjs', /^(?:firstValueFrom|lastValueFrom|from|forkJoin)$/u],
  ...named('p-retry promise-retry async-retry p-map p-all p-series p-each-series p-timeout', /./u),
  ...named('exponential-backoff', /^backOff$/u),
  ...named('p-limit p-queue p-throttle bottleneck opossum cockatiel', /./u),
  ...named('@opentelemetry/api', /\b(?:startActiveSpan|with)$/u),
  ...named('@sentry/node @sentry/core dd-trace', /^(?:\w+\.)?(?:startSpan\w*|trace|with\w+)$/u),
]);

/** Global functions that call what they are given later. */
export const timers: ReadonlySet<string> = new Set(['setTimeout', 'setInterval', 'setImmediate']);

/** Members of any package that answer at once: listeners, and what only makes an object. */
export const quickMembers: ReadonlySet<string> = new Set([
  'on',
  'once',
  'off',
  'addListener',
  'removeListener',
  'removeAllListeners',
  'emit',
  'spawn',
  'spawnSync',
  'execSync',
  'execFileSync',
  'fork',
  'createServer',
  'Agent',
  'isCancel',
  'toString',
  'disconnect',
  'destroy',
  'unref',
]);
