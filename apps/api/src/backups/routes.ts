import { contractMessages, problem, routes, sentence } from '@pdf2press/contract';
import {
  askForBackup,
  type BackupState,
  backupFolder,
  isAsked,
  isUnderWay,
  readBackupState,
  writeSchedule,
} from '@pdf2press/engine';
import { toJson } from '@pdf2press/prisma';
import type { FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import type { Bind } from '../frame/bind.ts';
import { localeOf } from '../frame/errors.ts';

const { backups } = routes;

/** Scheduled backups of the installation; workers make them. */
export function bindBackups(bind: Bind, deps: ApiDeps): void {
  const shown = (request: FastifyRequest, state: BackupState) => {
    const { since: _since, askedAt: _askedAt, ...schedule } = state.schedule;
    const fault = state.run?.fault;
    const message = fault ? sentence(contractMessages, localeOf(request), fault.code, fault.params) : null;
    return {
      schedule,
      folder: backupFolder(schedule, deps.env.dataDir),
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      run: state.run && { ...state.run, message },
      isAsked: isAsked(state),
      kept: state.kept,
    };
  };

  bind(backups.get, async ({ request }) => shown(request, await deps.db.asHost(readBackupState)));

  bind(backups.schedule, ({ caller, request, body }) =>
    deps.db.asHost(async (tx) => {
      const { schedule: before } = await readBackupState(tx);
      await writeSchedule(tx, body);
      await audit(tx, request, {
        act: 'backup.schedule',
        object: caller.subscriberId,
        before: toJson(before) as object,
        after: toJson(body) as object,
      });
      return shown(request, await readBackupState(tx));
    }),
  );

  bind(backups.ask, ({ caller, request }) =>
    deps.db.asHost(async (tx) => {
      const state = await readBackupState(tx);
      if (isUnderWay(state, new Date())) throw problem('backup.running');
      await askForBackup(tx);
      await audit(tx, request, { act: 'backup.ask', object: caller.subscriberId });
      return shown(request, await readBackupState(tx));
    }),
  );
}
