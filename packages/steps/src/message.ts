/* A message that a step sends: its settings, what may be wrong with them, and what becomes of them. */
import type { ErrorParams, FileFault, SettingIssue } from '@pdf2press/contract';
import { type Facts, oneLine, type Reader, resolvePlaceholders } from '@pdf2press/settings';
import { z } from 'zod';
import type { StepEffect } from './step.ts';

/** What the texts of a step are filled in with. */
export interface Filling {
  facts: Facts;
  reader: Reader;
}

/** To so many addresses a step writes at most. */
export const mostAddresses = 20;

/** A text of at most so many characters that may name variables of the session. */
export const texted = (longest: number) => z.string().max(longest).default('').meta({ placeholders: 'session' });

export const messageFields = {
  /** Mail addresses, or placeholders that give some. */
  to: z.array(z.string().trim().min(1).max(300)).max(mostAddresses).default([]),
  subject: texted(200),
  text: texted(20_000),
};

export interface MessageSettings {
  to: readonly string[];
  subject: string;
  text: string;
}

/** What a message lacks, and addresses that are none. */
export function messageIssues({ to, subject, text }: MessageSettings): SettingIssue[] {
  const missing = (field: string) => ({ code: 'value.required', field });
  return [
    ...(to.length === 0 ? [missing('to')] : []),
    ...to.flatMap((address, at) =>
      address.includes('{{') || z.email().safeParse(address).success
        ? []
        : [{ code: 'value.email', field: `to.${at}` }],
    ),
    ...(subject.trim() === '' ? [missing('subject')] : []),
    ...(text.trim() === '' ? [missing('text')] : []),
  ];
}

/** All texts of a message that may hold placeholders. */
export const textsOfMessage = ({ to, subject, text }: MessageSettings): string[] => [...to, subject, text];

export type MailEffect = Extract<StepEffect, { kind: 'mail' }>;

/** A problem with the addresses that variables gave. */
export interface AddressProblem {
  code: FileFault;
  params: ErrorParams;
}

/** The addresses in a text, parted by commas, semicolons or white space. */
export const addressesIn = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean);

/**
 * The messages: one for each address, so that no reader sees the others. Without any address, or with more than
 * `mostAddresses`, there are none: the problem says so.
 */
export function messagesOf(
  settings: MessageSettings,
  { facts, reader }: Filling,
  maxTries: number | null,
): { messages: MailEffect[]; problem?: AddressProblem } {
  const fill = (text: string) => resolvePlaceholders(text, facts, reader);
  const addresses = new Set(settings.to.flatMap((text) => addressesIn(fill(text))));
  if (addresses.size === 0) return { messages: [], problem: { code: 'ACTION_ADDRESS_MISSING', params: {} } };
  if (addresses.size > mostAddresses)
    return {
      messages: [],
      problem: { code: 'ACTION_ADDRESSES_TOO_MANY', params: { count: addresses.size, max: mostAddresses } },
    };
  const content = { subject: oneLine(fill(settings.subject)), text: fill(settings.text) };
  return {
    messages: [...addresses].map((to) => ({
      kind: 'mail',
      payload: { template: 'message', to, name: to, locale: reader.locale, params: {}, content, maxTries },
    })),
  };
}

/** As much of a text as the session's page shows. */
const longestShown = 2000;

/** What the session's page tells of something that was sent, or would be. */
export function shownEffect({ kind, payload }: StepEffect): { to: string; text: string } {
  if (kind === 'delivery') return { to: [...payload.folder, payload.name].join('/'), text: '' };
  return kind === 'webhook'
    ? { to: `${payload.method} ${payload.url}`, text: payload.body.slice(0, longestShown) }
    : { to: payload.to, text: `${payload.content.subject}\n\n${payload.content.text}`.slice(0, longestShown) };
}
