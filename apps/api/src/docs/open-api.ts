import {
  batchItemSchema,
  contractMessages,
  type ErrorCode,
  errorStatuses,
  messageOf,
  mostInBatch,
  namedFileSchema,
  orderSchema,
  type Route,
  routes,
  shops,
} from '@pdf2press/contract';
import { z } from 'zod';
import { base } from '../frame/bind.ts';

type Json = Record<string, unknown>;

/** A zod schema as the JSON schema of OpenAPI 3.1. What JSON schema cannot express (a transform) allows any value. */
const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    reused: 'inline',
  });
  return json;
};

const errorSchema = {
  type: 'object',
  required: ['success', 'result', 'errors'],
  properties: {
    success: { const: false },
    result: { type: 'null' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { type: 'string', description: 'Stable; see the list in the description of the API' },
          message: { type: 'string', description: 'In the language of the reader' },
          params: { type: 'object' },
          field: { type: 'string', description: 'Dotted path into the request' },
        },
      },
    },
  },
};

const parametersOf = (schema: z.ZodObject | undefined, place: 'path' | 'query'): Json[] => {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, json]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: json,
    ...(json.type === 'array' ? { style: 'form', explode: true } : {}),
  }));
};

const multipart = {
  type: 'object',
  required: ['file', 'workflowId'],
  properties: {
    file: { type: 'string', contentMediaType: 'application/pdf', description: 'The PDF' },
    workflowId: { type: 'string' },
    variables: {
      type: 'string',
      contentMediaType: 'application/json',
      description: 'Values of the workflow’s variables',
    },
    externalId: { type: 'string', maxLength: 200, description: 'The number that your own system has for it' },
    order: {
      type: 'string',
      contentMediaType: 'application/json',
      contentSchema: schemaOf(orderSchema, 'input'),
      description: 'The order that the file belongs to: values of the session named order.…',
    },
    shop: { type: 'string', enum: shops, description: 'The shop system that hands it in: a way in of its own' },
  },
};

const replacement = {
  type: 'object',
  required: ['file'],
  properties: {
    file: multipart.properties.file,
    version: { type: 'integer', description: 'The session’s version as it was seen; another one is refused' },
  },
};
/** A form of one file. */
const fileForm = (contentMediaType: string, description: string) => ({
  type: 'object',
  required: ['file'],
  properties: { file: { type: 'string', contentMediaType, description } },
});
const noteFile = fileForm('application/octet-stream', 'A PDF, JPEG, PNG, TIFF or WebP');
const forms: Readonly<Record<string, Json>> = {
  'sessions.create': multipart,
  'sessions.replaceFile': replacement,
  'organizations.drawLogo': fileForm('image/*', 'A PNG, JPEG or WebP'),
  'proofs.addNoteFile': noteFile,
  'clientProofs.addNoteFile': noteFile,
};

/** What is taken as JSON in place of a form. */
const alternatives: Readonly<Record<string, z.ZodType>> = { 'sessions.create': namedFileSchema };

/** What is taken by routes that read each part for itself, so that one that is wrong harms no other. */
const described: Readonly<Record<string, z.ZodType>> = {
  'sessions.createMany': z.object({ items: z.array(batchItemSchema).min(1).max(mostInBatch) }),
};

function requestBodyOf(name: string, route: Route): Json | undefined {
  const form = forms[name];
  const alternative = alternatives[name];
  const json = alternative && { 'application/json': { schema: schemaOf(alternative, 'input') } };
  if (form) return { required: true, content: { 'multipart/form-data': { schema: form }, ...json } };
  if (name === 'uploads.append')
    return {
      required: true,
      content: { 'application/offset+octet-stream': { schema: { type: 'string', format: 'binary' } } },
    };
  return route.body
    ? { required: true, content: { 'application/json': { schema: schemaOf(described[name] ?? route.body, 'input') } } }
    : undefined;
}

const wires: Record<string, string> = {
  bytes: 'application/octet-stream',
  events: 'text/event-stream',
  tus: 'application/octet-stream',
};

function successOf(route: Route): Json {
  const wire = route.wire ?? 'envelope';
  if (wire === 'tus' && !route.result) return { description: 'As the tus protocol says (tus.io, 1.0.0)' };
  if (wire !== 'envelope')
    return { description: 'Success', content: { [wires[wire] ?? '']: { schema: { type: 'string' } } } };
  const result = route.result ? schemaOf(route.result, 'output') : { type: 'null' };
  const schema = {
    type: 'object',
    required: ['success', 'result', 'errors'],
    properties: { success: { const: true }, result, errors: { type: 'array', maxItems: 0, items: {} } },
  };
  return { description: 'Success', content: { 'application/json': { schema } } };
}

function accessText({ access, feature }: Route): string {
  const who = {
    public: 'Needs no sign-in.',
    signedIn: 'Needs a sign-in.',
    permission:
      access.kind === 'permission'
        ? `Needs the permission ${access.anyOf.map((name) => `\`${name}\``).join(' or ')}.`
        : '',
    host: access.kind === 'host' ? `For administrators of the host: \`${access.permission}\`.` : '',
  }[access.kind];
  return feature ? `${who} Needs the feature \`${feature}\`.` : who;
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', maxLength: 200 },
  description: 'The same key of the same sender gives the same session, for ever',
};

function operationOf(noun: string, name: string, route: Route): Json {
  const body = requestBodyOf(`${noun}.${name}`, route);
  return {
    operationId: `${noun}.${name}`,
    tags: [noun],
    summary: route.summary,
    description: accessText(route),
    ...(route.access.kind === 'public' ? { security: [] } : {}),
    parameters: [
      ...parametersOf(route.params, 'path'),
      ...parametersOf(route.query, 'query'),
      ...(noun === 'sessions' && name === 'create' ? [idempotencyKey] : []),
    ],
    ...(body ? { requestBody: body } : {}),
    responses: {
      [String(route.status ?? (route.wire === 'tus' ? (route.method === 'POST' ? 201 : 204) : 200))]: successOf(route),
      default: { $ref: '#/components/responses/Error' },
    },
  };
}

const codeList = (Object.entries(errorStatuses) as [ErrorCode, number][])
  .map(([code, status]) => `| \`${code}\` | ${status} | ${messageOf(contractMessages, 'en', code) ?? ''} |`)
  .join('\n');

/** The OpenAPI 3.1 document, made from the contract's route table, whose schemas check the requests. */
export function openApiDocument({
  title,
  version,
  publicUrl,
}: {
  title: string;
  version: string;
  publicUrl: string;
}): Json {
  const paths: Record<string, Json> = {};
  for (const [noun, table] of Object.entries(routes))
    for (const [name, route] of Object.entries(table) as [string, Route][]) {
      const path = route.path.replace(/:(\w+)/g, '{$1}');
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(noun, name, route) };
    }
  return {
    openapi: '3.1.0',
    info: {
      title: `${title} API`,
      version,
      license: { name: 'AGPL-3.0-or-later', identifier: 'AGPL-3.0-or-later' },
      description: [
        'Sign in at `/TokenAuth/login`, or send an API key as `Authorization: Bearer p2p_…` or `X-Api-Key`.',
        'Answers are `{ success, result, errors }`; messages are in the language of the caller or of `Accept-Language`.',
        `\n| code | status | says |\n|---|---|---|\n${codeList}`,
      ].join('\n\n'),
    },
    servers: [{ url: base }, { url: publicUrl + base }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: Object.keys(routes).map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT or API key' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      },
      responses: { Error: { description: 'Refused', content: { 'application/json': { schema: errorSchema } } } },
    },
  };
}
