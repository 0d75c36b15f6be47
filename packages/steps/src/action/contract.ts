import type { SettingIssue } from '@pdf2press/contract';
import { onlyWhen } from '@pdf2press/settings';
import { z } from 'zod';
import { deliveriesField, referencesOfDeliveries } from '../deliveries.ts';
import { messageFields, messageIssues, texted } from '../message.ts';
import { stepContract, type WorkflowNames } from '../step.ts';
import { fillJson } from './fill-json.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

const calls = { does: 'webhook' };
const callsWithBody = { does: 'webhook', method: ['POST', 'PUT', 'PATCH', 'DELETE'] };
const writes = { does: 'message' };
const makesTicket = { does: 'ticket' };
const delivers = { does: 'delivery' };
/** A secret by the id under which it is kept; its text is never part of a workflow. */
const secretField = z.string().max(60).default('').meta({ editor: 'secret' });

const settingsSchema = z.object({
  does: z.enum(['webhook', 'message', 'ticket', 'delivery']).default('webhook'),
  /** Its host is fixed; path and query may hold placeholders. */
  url: onlyWhen(calls, texted(2000)),
  method: onlyWhen(calls, z.enum(['POST', 'PUT', 'PATCH', 'GET', 'DELETE']).default('POST')),
  headers: onlyWhen(
    calls,
    z
      .array(z.strictObject({ name: z.string().trim().min(1).max(100), value: texted(1000) }))
      .max(20)
      .default([]),
  ),
  bodyType: onlyWhen(callsWithBody, z.enum(['json', 'xml', 'form', 'text']).default('json')),
  body: onlyWhen(callsWithBody, texted(20_000).default('{"session": "{{session.id}}", "file": "{{file.name}}"}')),
  /** Signs the calls. */
  secretId: onlyWhen(calls, secretField),
  /** The value of the header `Authorization`. */
  authorizationId: onlyWhen(calls, secretField),
  /** What of the answer's JSON becomes the value of a variable. */
  answer: onlyWhen(
    calls,
    z
      .array(
        z.strictObject({
          path: z
            .string()
            .trim()
            .max(200)
            .regex(/^[^.\s]+(\.[^.\s]+)*$/),
          variable: z.string().trim().min(1).max(60).meta({ editor: 'workflowVariable' }),
          isRequired: z.boolean().default(true),
        }),
      )
      .max(50)
      .default([]),
  ),
  to: onlyWhen(writes, messageFields.to),
  subject: onlyWhen(writes, messageFields.subject),
  text: onlyWhen(writes, messageFields.text),
  /** XJDF 2.1, or JDF 1.5. */
  ticketFormat: onlyWhen(makesTicket, z.enum(['XJDF', 'JDF']).default('XJDF')),
  jobId: onlyWhen(makesTicket, texted(200).default('{{session.id}}')),
  jobName: onlyWhen(makesTicket, texted(200).default('{{file.baseName}}')),
  customer: onlyWhen(makesTicket, texted(200)),
  order: onlyWhen(makesTicket, texted(200)),
  /** How many finished pieces are wanted: digits, or a placeholder that gives them. Empty = the ticket does not say. */
  copies: onlyWhen(makesTicket, texted(200)),
  deliveries: onlyWhen(delivers, deliveriesField()),
  /** `retry`: it is tried for a day, not a few times, before the session fails. */
  onError: z.enum(['fail', 'warn', 'retry']).default('fail'),
});
export type ActionSettings = z.output<typeof settingsSchema>;

/** Headers that the call itself makes, and one that must not be readable in a workflow. */
const ownHeaders = new Set([
  ...['host', 'content-length', 'transfer-encoding', 'connection', 'upgrade', 'te', 'trailer', 'expect'],
  ...[
    'accept-encoding',
    'user-agent',
    'idempotency-key',
    'x-signature',
    'authorization',
    'proxy-authorization',
    'cookie',
  ],
]);
const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/** An address whose host nothing can change: no placeholder and no user name stands before the path. */
const hasFixedHost = (url: string): boolean => /^https?:\/\/[^/?#{}@\s\\]+([/?#]|$)/i.test(url) && URL.canParse(url);

const isJson = (text: string): boolean => {
  try {
    fillJson(JSON.parse(text), (inner) => inner);
    return true;
  } catch {
    return false;
  }
};

function callIssues(
  { url, method, headers, bodyType, body, answer }: ActionSettings,
  { variables }: WorkflowNames,
): SettingIssue[] {
  const names = new Set(variables.map(({ name }) => name.toLowerCase()));
  return [
    ...(url === ''
      ? [{ code: 'value.required', field: 'url' }]
      : hasFixedHost(url)
        ? []
        : [{ code: 'workflow.addressInvalid', field: 'url' }]),
    ...headers.flatMap(({ name }, at) =>
      !headerName.test(name) || ownHeaders.has(name.toLowerCase())
        ? [{ code: 'workflow.headerRefused', field: `headers.${at}.name`, params: { name } }]
        : [],
    ),
    ...(method !== 'GET' && bodyType === 'json' && body !== '' && !isJson(body)
      ? [{ code: 'workflow.bodyNotJson', field: 'body' }]
      : []),
    ...answer.flatMap(({ variable }, at) =>
      names.has(variable.toLowerCase())
        ? []
        : [{ code: 'workflow.variableUnknown', field: `answer.${at}.variable`, params: { name: variable } }],
    ),
  ];
}

const wholeNumber = /^\s*[1-9]\d{0,8}\s*$/;

const ticketIssues = ({ jobId, copies }: ActionSettings): SettingIssue[] => [
  ...(jobId.trim() === '' ? [{ code: 'value.required', field: 'jobId' }] : []),
  ...(copies.trim() === '' || copies.includes('{{') || wholeNumber.test(copies)
    ? []
    : [{ code: 'value.integer', field: 'copies' }]),
];

const issuesOf: Record<ActionSettings['does'], (settings: ActionSettings, names: WorkflowNames) => SettingIssue[]> = {
  webhook: callIssues,
  message: messageIssues,
  ticket: ticketIssues,
  delivery: ({ deliveries }) => (deliveries.length === 0 ? [{ code: 'value.required', field: 'deliveries' }] : []),
};

export const actionContract = stepContract({
  kind: 'Action',
  version: 1,
  settings: settingsSchema,
  outcomes: ['done'],
  icon: 'M13 3 5 14h6l-1 7 9-12h-6z',
  group: 'files',
  feature: 'ActionStep',
  asksForEffects: true,
  inTrials: { answers: ['done'] },
  references: ({ does, deliveries }) => (does === 'delivery' ? referencesOfDeliveries(deliveries) : []),
  secrets: ({ does, secretId, authorizationId }) =>
    (does ?? 'webhook') !== 'webhook'
      ? []
      : Object.entries({ secretId, authorizationId }).flatMap(([field, id]) =>
          typeof id === 'string' && id !== '' ? [{ field, id }] : [],
        ),
  check: (settings, names) => issuesOf[settings.does](settings, names),
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
