import { namesIn } from '@pdf2press/settings';
import { messagesOf, shownEffect, textsOfMessage } from '../message.ts';
import { stepFacts } from '../step-facts.ts';
import type { StepRunner } from '../step-runner.ts';
import { textOf } from '../text-of.ts';
import { type cancelContract, hasMessage } from './contract.ts';

export const runCancel: StepRunner<typeof cancelContract> = async (context) => {
  const { settings, reader } = context;
  const { status } = settings;
  const reason = settings.reason && (await textOf(context, settings.reason));
  if (!hasMessage(settings)) return { end: 'session', status, ...(reason && { summary: { reason } }) };
  const { facts } = await stepFacts(context, textsOfMessage(settings).flatMap(namesIn));
  // The session ends whether a message can be sent or not.
  const { messages, problem } = messagesOf(settings, { facts, reader }, null);
  return {
    end: 'session',
    status,
    effects: messages,
    ...(problem && { level: 'Warning' }),
    summary: { ...(reason && { reason }), sent: messages.map(shownEffect), ...(problem && { problem }) },
  };
};
