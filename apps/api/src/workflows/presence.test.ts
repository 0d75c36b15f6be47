import type { Present, Workflow } from '@pdf2press/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';
import { createPresence } from './presence.ts';

const draft = { subscriberId: 'sub_1', workflowId: 'wfl_1' };

test('whoever comes and goes is known in every process, and one that begins later hears who is there', () => {
  const processes: ReturnType<typeof createPresence>[] = [];
  const changes = vi.fn();
  const start = () => {
    const toAll = (text: string) => {
      for (const each of processes) each.hear(text);
    };
    const made = createPresence(toAll, changes);
    processes.push(made);
    return made;
  };
  const ana = start().join({ ...draft, id: 'usr_ana', name: 'Ana' });
  const ben = start().join({ ...draft, id: 'usr_ben', name: 'Ben' });
  const second = start();
  const twice = second.join({ ...draft, id: 'usr_ana', name: 'Ana' });
  second.join({ ...draft, workflowId: 'wfl_2', id: 'usr_eve', name: 'Eve' });
  second.join({ ...draft, subscriberId: 'sub_2', id: 'usr_mallory', name: 'Mallory' });
  expect(ana.others()).toEqual([{ id: 'usr_ben', name: 'Ben' }]);
  expect(ben.others()).toEqual([{ id: 'usr_ana', name: 'Ana' }]);
  expect(twice.others()).toEqual([{ id: 'usr_ben', name: 'Ben' }]);
  ana.leave();
  expect(ben.others()).toEqual([{ id: 'usr_ana', name: 'Ana' }]);
  twice.leave();
  expect(ben.others()).toEqual([]);
  expect(changes).toHaveBeenCalledWith('sub_1');
});

test('a stream that is not heard of any more is forgotten, one that beats is not', () => {
  vi.useFakeTimers();
  const presence = createPresence((text) => presence.hear(text), vi.fn());
  const ana = presence.join({ ...draft, id: 'usr_ana', name: 'Ana' });
  const ben = presence.join({ ...draft, id: 'usr_ben', name: 'Ben' });
  vi.advanceTimersByTime(40_000);
  ben.beat();
  vi.advanceTimersByTime(40_000);
  expect(ana.others()).toEqual([{ id: 'usr_ben', name: 'Ben' }]);
  expect(ben.others()).toEqual([]);
  vi.useRealTimers();
});

let lab: Lab;
let origin: string;
let ana: SignedIn;
beforeAll(async () => {
  lab = await startLab();
  origin = await lab.listen();
  ana = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('Paper + Ink'), 'ana@example.com'));
}, 120_000);
afterAll(() => lab.stop());

test('the live stream tells two people of each other, and nobody of another house', async () => {
  const { id } = (await lab.call<Workflow>('POST', '/workflows', { as: ana, body: { name: 'Shared' } })).result;
  const open = async ({ token }: { token: string }) => {
    const end = new AbortController();
    const url = `${origin}/api/sessions/live?workflowId=${id}`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` }, signal: end.signal });
    const seen: Present[][] = [];
    const reading = (async () => {
      let text = '';
      for await (const part of answer.body ?? []) {
        text += Buffer.from(part).toString();
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) {
          const data = /^event: presence\ndata: (.*)$/m.exec(block)?.[1];
          if (data) seen.push(JSON.parse(data) as Present[]);
        }
      }
    })().catch(() => undefined);
    const close = () => {
      end.abort();
      return reading;
    };
    return { status: answer.status, seen, close };
  };
  const names = (list: Present[] | undefined) => list?.map((one) => one.name);
  const ben = await lab.signIn(await lab.makePerson(ana.subscriberId, 'ben@example.com', ['workflows.edit']));
  const reader = await lab.signIn(await lab.makePerson(ana.subscriberId, 'cleo@example.com', ['sessions.view']));
  const eve = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('Elsewhere'), 'eve@example.com'));
  const mine = await open(ana);
  const theirs = await open(ben);
  await expect.poll(() => mine.seen.at(-1)?.map((one) => one.id)).toEqual([ben.id]);
  await expect.poll(() => theirs.seen.at(-1)?.map((one) => one.id)).toEqual([ana.id]);
  expect(names(theirs.seen.at(-1))?.[0]).not.toBe('');
  for (const [who, status] of [[eve, 404] as const, [reader, 403] as const]) {
    const refused = await open(who);
    expect(refused.status).toBe(status);
    await refused.close();
  }
  await theirs.close();
  await expect.poll(() => mine.seen.at(-1)).toEqual([]);
  await mine.close();
});
