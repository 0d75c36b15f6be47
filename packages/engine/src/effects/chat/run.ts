import { ProblemError } from '@pdf2press/contract';
import type { EngineDeps } from '../../deps.ts';
import { EffectError, type EffectRun } from '../run.ts';
import { comeAgain } from '../webhook/excerpt.ts';
import { type ChatDelivery, sendChat } from './send-chat.ts';

/** What is kept of a failed try, and whether another makes sense. */
function failedOf(error: ProblemError): EffectError {
  const [{ code, params = {} } = { code: '' }] = error.problems;
  const status = Number(params.status ?? 0);
  const words = [params.status, params.text, params.host].filter((word) => word !== undefined && word !== '');
  return new EffectError(words.join(' ') || code, {
    isFinal: code === 'hook.refused' ? status < 500 && !comeAgain.has(status) : code !== 'hook.unreachable',
    isUnknown: code === 'hook.unreachable',
    cause: error,
  });
}

/** Writes messages into channels by their incoming hooks. */
export const writeToChannels = (deps: EngineDeps, delivery: ChatDelivery): EffectRun<'chat'> => ({
  run: async ({ subscriberId, payload: { hook, message } }, signal) => {
    await sendChat(deps, { subscriberId, hook, message }, { ...delivery, signal }).catch((error: unknown) => {
      throw error instanceof ProblemError ? failedOf(error) : error;
    });
    return { remoteRef: 'sent' };
  },
  onDead: async (_, { payload: { name } }) => ({ name }),
});
