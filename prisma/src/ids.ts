import { randomBytes } from 'node:crypto';
import { uuidv7obj } from 'uuidv7';

/** Prefixes of ids by noun, so that an id shows what it belongs to. */
const prefixes = {
  subscriber: 'sub',
  organization: 'org',
  user: 'usr',
  role: 'rol',
  apiKey: 'key',
  embedToken: 'emb',
  userSession: 'uss',
  oneTimeToken: 'ott',
  passkey: 'psk',
  loginAttempt: 'log',
  notification: 'ntf',
  systemSetting: 'set',
  secret: 'sec',
  workflow: 'wfl',
  workflowVersion: 'wfv',
  profile: 'prf',
  profileVersion: 'prv',
  font: 'fnt',
  session: 'ses',
  sessionComment: 'com',
  sessionView: 'vie',
  stepRun: 'stp',
  wait: 'wai',
  file: 'fil',
  fileLink: 'lnk',
  finding: 'fnd',
  effect: 'eff',
  webhook: 'whk',
  upload: 'upl',
  uploadVisit: 'upv',
  proof: 'pro',
  proofRecipient: 'prr',
  proofDecision: 'prd',
  proofNote: 'pnt',
  privateNote: 'pvn',
} as const;
export type IdNoun = keyof typeof prefixes;
const nouns = new Map(Object.entries(prefixes).map(([noun, prefix]) => [prefix as string, noun as IdNoun]));

/** What an id belongs to, by its prefix; undefined for other text. */
export const nounOf = (id: string): IdNoun | undefined =>
  /^[a-z]{3}_[0-9a-f]{32}$/.test(id) ? nouns.get(id.slice(0, 3)) : undefined;

/** With what the ids of a noun begin. */
export const idPrefix = (noun: IdNoun): string => `${prefixes[noun]}_`;

/** A new id, for example `ses_019aa5…`: UUIDv7 without hyphens, so ids of one noun sort by creation time. */
export const newId = (noun: IdNoun): string => `${prefixes[noun]}_${uuidv7obj().toHex()}`;

/** 128 random bits as the public name of a session: unlike an id, it reveals neither its time nor other sessions. */
export const newPublicId = (): string => randomBytes(16).toString('base64url');
