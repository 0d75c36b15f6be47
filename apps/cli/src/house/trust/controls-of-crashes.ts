import type { Control } from './control.ts';

const promises = 'packages/engine/src/promises.test.ts';
const crashes = 'packages/engine/src/crashes.test.ts';

/** What keeps files, steps and messages whole while processes die. */
export const controlsOfCrashes: readonly Control[] = [
  {
    guard: 'fence: only the present holder of a step writes its result',
    mutation: 'the epoch is not compared',
    edits: [
      {
        file: 'packages/engine/src/steps/record-result.ts',
        takes: "where id = ${step.id} and (not ${isFenced} or (epoch = ${step.epoch} and status = 'Running'))`;",
        puts: 'where id = ${step.id} and (${isFenced} or true)`;',
      },
    ],
    test: {
      file: promises,
      name: 'refuses the worker that lost its lease, before and after the other one has written',
    },
  },
  {
    guard: 'fence of effects: only the present holder ends one',
    mutation: 'the epoch is not compared',
    edits: [
      {
        file: 'packages/engine/src/effects/deliver.ts',
        takes:
          "where id = ${effect.id} and epoch = ${effect.epoch} and state = 'Sending'`;\n    if (written === 0) throw",
        puts: 'where id = ${effect.id}`;\n    if (written === 0) throw',
      },
    ],
    test: { file: 'packages/engine/src/effects/effects.test.ts', name: 'an effect that another worker has taken over' },
  },
  {
    guard: 'fsync before rename: bytes are flushed before they have their name',
    mutation: 'the bytes are not flushed',
    edits: [
      {
        file: 'packages/storage/src/spool.ts',
        takes: '    await handle.sync();\n    await handle.close();\n  } catch',
        puts: '    await handle.close();\n  } catch',
      },
    ],
    test: { file: 'packages/storage/src/durability.test.ts', name: 'bytes are flushed before they get their name' },
  },
  {
    guard: 'fsync of the folder: the name itself outlives a power cut',
    mutation: 'the folder is not flushed',
    edits: [
      {
        file: 'packages/storage/src/spool.ts',
        takes: '  await syncFolder(folder);\n  for (let at = folder; made',
        puts: '  for (let at = folder; made',
      },
    ],
    test: { file: 'packages/storage/src/durability.test.ts', name: 'the folder is flushed after the name was given' },
  },
  {
    guard: 'stored bytes are read back: a file that has decayed is used by nothing',
    mutation: 'other bytes than those of the name count as whole',
    edits: [
      {
        file: 'packages/storage/src/intact.ts',
        takes: "if (hash.digest('hex') !== sha256) return false;",
        puts: "hash.digest('hex');",
      },
    ],
    test: { file: 'packages/storage/src/storage.test.ts', name: 'gives it to no work, sets it aside' },
  },
  {
    guard: 'bytes before rows: nobody is told of a file that is not stored',
    mutation: 'the row names bytes that nobody has stored',
    edits: [
      {
        file: 'packages/engine/src/steps/run-step.ts',
        takes:
          '    const { sha256, size } = await deps.storage.put({\n      subscriberId,\n      bytes: createReadStream(at, { highWaterMark: 1024 * 1024 }),\n    });',
        puts: "    const { createHash } = await import('node:crypto');\n    const { readFile } = await import('node:fs/promises');\n    const bytes = await readFile(at);\n    const sha256 = createHash('sha256').update(bytes).digest('hex');\n    const size = bytes.length;\n    void createReadStream;",
      },
    ],
    test: {
      file: promises,
      name: 'a NUL in a name of the PDF is stored as a character that cannot be read, in results and in failures',
    },
  },
  {
    guard: 'outbox: an effect is recorded with its cause or not at all',
    mutation: 'effects are recorded in a transaction of their own, before the result',
    edits: [
      {
        file: 'packages/engine/src/steps/record-result.ts',
        takes: '  const { step } = ran;\n  await deps.database.withSubscriber(',
        puts: "  const { step } = ran;\n  if (ran.result.end === 'effects') {\n    const { effects } = ran.result;\n    await deps.database.withSubscriber({ subscriberId: step.subscriberId }, (own) =>\n      askForEffects(own, step, { effects, waits: true }),\n    );\n  }\n  await deps.database.withSubscriber(",
      },
    ],
    test: {
      file: 'packages/engine/src/effects/webhook/webhook.test.ts',
      name: 'killed inside the commit of its cause, a call is neither recorded nor made',
    },
  },
  {
    guard: 'outbox: one key, one message',
    mutation: 'the key of an effect is new each time',
    edits: [
      {
        file: 'packages/engine/src/effects/enqueue.ts',
        takes:
          "select ${newId('effect')}, coalesce(${subscriberId ?? null}::text, current_subscriber()), ${key}, ${kind},",
        puts: "select ${newId('effect')}, coalesce(${subscriberId ?? null}::text, current_subscriber()), ${key + newId('effect')}, ${kind},",
      },
    ],
    test: {
      file: 'packages/engine/src/effects/mail/outbox.test.ts',
      name: 'a message is written with its cause or not at all and sent once',
    },
  },
  {
    guard: 'unknown outcome: a message that may have arrived is repeated once',
    mutation: 'a lost sender does not count as an unknown outcome',
    edits: [
      {
        file: 'packages/engine/src/effects/claim-effects.ts',
        takes: "unknown_count = effect.unknown_count + (effect.state = 'Sending')::int`;",
        puts: 'unknown_count = effect.unknown_count`;',
      },
    ],
    test: {
      file: 'packages/engine/src/effects/mail/outbox.test.ts',
      name: 'when a worker is lost while sending, the outcome counts as unknown',
    },
  },
  {
    guard: 'cursor: it moves after the file was committed',
    mutation: 'the cursor moves before the file is taken',
    edits: [
      {
        file: 'apps/intake/src/poll-inlet.ts',
        takes: '      try {\n        const isDone = await takeItem(',
        puts: '      await advance(next.value.cursorAfter);\n      try {\n        const isDone = await takeItem(',
      },
    ],
    test: { file: 'apps/intake/src/run-intake.test.ts', name: 'killed at afterStartCommit: another takes over' },
  },
  {
    guard: 'cursor: a process that lost its inlet moves none',
    mutation: 'the epoch of the inlet is not compared',
    edits: [
      {
        file: 'packages/engine/src/sources/inlets.ts',
        takes:
          '       where id = ${lease.id} and lease_epoch = ${lease.epoch} and lease_until is not null`,\n  );\n  if (written === 0) throw new LostInletError();',
        puts: '       where id = ${lease.id}`,\n  );\n  if (written === 0) throw new LostInletError();',
      },
    ],
    test: {
      file: 'apps/intake/src/run-intake.test.ts',
      name: 'a frozen process loses its inlet and writes no cursor when it continues',
    },
  },
  {
    guard: 'cursor: a file that waits holds it back',
    mutation: 'the cursor passes files that could not be taken',
    edits: [
      {
        file: 'apps/intake/src/poll-inlet.ts',
        takes: 'if (!isHeld && cursor !== undefined)',
        puts: 'if (cursor !== undefined)',
      },
    ],
    test: {
      file: 'apps/intake/src/run-intake.test.ts',
      name: 'a file that cannot be read keeps the cursor before it, delays no other',
    },
  },
  {
    guard: 'one delivery, one session',
    mutation: 'a known delivery is taken again under a key of its own',
    edits: [
      {
        file: 'packages/engine/src/sessions/receive-file.ts',
        takes: "key: delivery.ingest.key ?? newId('upload') };",
        puts: "key: newId('upload') };",
      },
    ],
    test: { file: promises, name: 'deliveries the same one twenty times at once makes one session' },
  },
  {
    guard: 'dispatch number: a step that was rung for in vain is rung for again',
    mutation: 'the name of a ring is that of its step alone',
    edits: [
      {
        file: 'packages/engine/src/bell/doorbell.ts',
        takes: 'opts: { jobId: `${id}-${dispatchNo}` },',
        puts: 'opts: { jobId: id },',
      },
    ],
    test: {
      file: 'packages/engine/src/bell/doorbells.test.ts',
      name: 'with BullMQ on Redis a ring whose worker is gone does not silence the next one for its step',
    },
  },
  {
    guard: 'doorbell: what was rung for and not claimed is rung for again',
    mutation: 'a ring that was lost is never repeated',
    edits: [
      {
        file: 'packages/engine/src/bell/pump.ts',
        takes: "where status = 'Ready' and dispatched_at < clock_timestamp() - ${interval(timing.rering)}",
        puts: "where status = 'Ready' and false and dispatched_at < clock_timestamp() - ${interval(timing.rering)}",
      },
    ],
    test: {
      file: 'packages/engine/src/bell/doorbells.test.ts',
      name: 'a step that was rung for in vain is rung for again, under another number',
    },
  },
  {
    guard: 'lost commit: an answer that was lost is looked up',
    mutation: 'the result is written again without a look',
    edits: [
      {
        file: 'packages/engine/src/steps/run-step.ts',
        takes: '      if (isRetry && (await hasCommitted(deps, step))) return;\n      await recordResult(',
        puts: '      void isRetry;\n      await recordResult(',
      },
    ],
    test: {
      file: crashes,
      name: 'an answer to a commit that is lost on the way is looked up, and nothing is done again',
    },
  },
  {
    guard: 'a wait is decided once',
    mutation: 'a second decision is written over the first',
    edits: [
      {
        file: 'packages/engine/src/waits/decide.ts',
        takes:
          "where id = ${waitId} and decided_at is null\n       and exists (select 1 from step_runs where id = ${wait.stepRunId} and status = 'Waiting')`;",
        puts: 'where id = ${waitId}`;',
      },
    ],
    test: { file: promises, name: 'waiting takes exactly one of many decisions, and tells the others who was first' },
  },
  {
    guard: 'archive: local bytes go after the copy was read back',
    mutation: 'the copy is not compared',
    edits: [
      {
        file: 'packages/engine/src/effects/archive/run.ts',
        takes: 'if ((await hashOf(await place.open(blob), signal)) !== sha256) {',
        puts: 'if (hashOf === undefined || signal.aborted) {',
      },
    ],
    test: { file: 'packages/engine/src/effects/archiving.test.ts', name: 'a copy that is not what was sent' },
  },
  {
    guard: 'collector: bytes that were stored lately stay',
    mutation: 'the store is not asked when the bytes were put',
    edits: [
      {
        file: 'packages/engine/src/files/collect-garbage.ts',
        takes: 'if (needed > 0 || !(await deps.storage.remove(blob, { unlessPutSince }))) return false;',
        puts: 'void unlessPutSince;\n    if (needed > 0 || !(await deps.storage.remove(blob))) return false;',
      },
    ],
    test: { file: promises, name: 'bytes are removed when nothing uses them any more, and not before' },
  },
  {
    guard: 'legal hold: files of a held session stay',
    mutation: 'the session is not looked at again under its lock',
    edits: [
      {
        file: 'packages/engine/src/retention/remove-files.ts',
        takes: 'where session_id = ${sessionId} and not is_held`;',
        puts: 'where session_id = ${sessionId}`;',
      },
      {
        file: 'packages/engine/src/retention/remove-files.ts',
        takes: 'if (!session || session.isHeld) return false;\n    const due',
        puts: 'if (!session) return false;\n    const due',
      },
      {
        file: 'packages/engine/src/retention/remove-files.ts',
        takes: 'where not is_held and (subscriber_id',
        puts: 'where (subscriber_id',
      },
    ],
    test: {
      file: 'packages/engine/src/retention/retention.test.ts',
      name: 'sessions exactly the listed files go, whoever is killed meanwhile',
    },
  },
  {
    guard: 'a Redis that may drop rings is refused',
    mutation: 'the policy is not asked for',
    edits: [
      {
        file: 'packages/engine/src/bell/doorbell.ts',
        takes: "if (policy && policy !== 'noeviction')",
        puts: "if (policy === 'none')",
      },
    ],
    test: { file: 'packages/engine/src/bell/doorbells.test.ts', name: 'a Redis that may evict keys is refused' },
  },
  {
    guard: 'quota: files that come at the same moment are counted one at a time',
    mutation: 'nobody waits for a turn',
    edits: [
      {
        file: 'packages/engine/src/plans/demand-in-plan.ts',
        takes: '  await inTurn(tx);\n  const [used]',
        puts: '  const [used]',
      },
    ],
    test: { file: 'packages/engine/src/plans/plans.test.ts', name: 'however many come at the same moment' },
  },
];
