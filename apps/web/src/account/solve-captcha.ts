import { solveChallengeWorkers } from 'altcha/lib';
import Pbkdf2Worker from 'altcha/workers/pbkdf2?worker';
import ShaWorker from 'altcha/workers/sha?worker';

type Challenge = Parameters<typeof solveChallengeWorkers>[0]['challenge'];

/** Solves an ALTCHA challenge in workers and answers the payload that the server verifies. */
export async function solve(challenge: unknown): Promise<string | undefined> {
  const given = challenge as Challenge;
  const solution = await solveChallengeWorkers({
    challenge: given,
    concurrency: Math.min(4, navigator.hardwareConcurrency || 1),
    createWorker: (algorithm) => (algorithm.startsWith('PBKDF2') ? new Pbkdf2Worker() : new ShaWorker()),
  });
  return solution ? btoa(JSON.stringify({ challenge: given, solution })) : undefined;
}
