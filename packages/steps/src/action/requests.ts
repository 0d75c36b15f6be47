import { escapeXml, isMissing, nameKey, namesIn, oneLine, resolvePlaceholders } from '@pdf2press/settings';
import type { Filling } from '../message.ts';
import type { StepEffect } from '../step.ts';
import type { ActionSettings } from './contract.ts';
import { fillJson } from './fill-json.ts';

/** How often something is tried that may fail for a while: once and five times more. */
const fewTries = 6;
/** `retry`: for a day. */
export const triesOf = ({ onError }: ActionSettings): number | null => (onError === 'retry' ? null : fewTries);

const contentTypes = {
  json: 'application/json',
  xml: 'application/xml; charset=utf-8',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain; charset=utf-8',
} as const;

/** Halves of characters, which nothing can encode, are replaced. */
const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');

/** Everything that no header may hold is written as in web addresses. */
const headerText = (text: string): string =>
  wellFormed(oneLine(text))
    .replace(/[^\x20-\x7e]+/g, encodeURIComponent)
    .trim();

const urlText = (text: string): string => encodeURIComponent(wellFormed(text));

/**
 * The value of a text in a JSON template. A text that is one placeholder without a format has the type of what it names:
 * a number, a yes or no, a list, or null without a value.
 */
function jsonValue(text: string, { facts, reader }: Filling): unknown {
  const filled = resolvePlaceholders(text, facts, reader);
  const [name, ...others] = namesIn(text);
  if (name === undefined || others.length > 0 || text.replace(/\s+/g, '') !== `{{${name}}}`) return filled;
  const value = facts.get(nameKey(name))?.value;
  if (isMissing(value)) return null;
  // A length is told in the reader's unit, as its text is.
  if (typeof value === 'number') return Number(filled);
  return typeof value === 'boolean' || Array.isArray(value) ? value : filled;
}

function bodyOf({ method, bodyType, body }: ActionSettings, filling: Filling): string {
  if (method === 'GET' || body === '') return '';
  const { facts, reader } = filling;
  switch (bodyType) {
    case 'json':
      return JSON.stringify(fillJson(JSON.parse(body), (text) => jsonValue(text, filling)));
    case 'xml':
      return resolvePlaceholders(body, facts, { ...reader, escape: escapeXml });
    case 'form':
      return resolvePlaceholders(body, facts, { ...reader, escape: urlText });
    case 'text':
      return resolvePlaceholders(body, facts, reader);
  }
}

/** The call that a webhook makes, its texts filled in and escaped for the place where they stand. */
export function callOf(settings: ActionSettings, filling: Filling): Extract<StepEffect, { kind: 'webhook' }> {
  const { url, method, headers, bodyType, secretId, authorizationId, answer } = settings;
  const { facts, reader } = filling;
  const body = bodyOf(settings, filling);
  const given = headers.map(({ name, value }) => ({
    name,
    value: headerText(resolvePlaceholders(value, facts, reader)),
  }));
  const hasType = given.some(({ name }) => name.toLowerCase() === 'content-type');
  return {
    kind: 'webhook',
    payload: {
      url: resolvePlaceholders(url, facts, { ...reader, escape: urlText }),
      method,
      headers: [...given, ...(body === '' || hasType ? [] : [{ name: 'Content-Type', value: contentTypes[bodyType] }])],
      body,
      secretId,
      authorizationId,
      paths: [...new Set(answer.map(({ path }) => path))],
      maxTries: triesOf(settings),
    },
  };
}

/** All texts of a call that may hold placeholders. */
export const textsOfCall = ({ url, headers, body }: ActionSettings): string[] => [
  url,
  body,
  ...headers.map(({ value }) => value),
];
