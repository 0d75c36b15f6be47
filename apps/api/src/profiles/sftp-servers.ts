import { contractMessages, routes, sentence } from '@pdf2press/contract';
import { sourceAddress } from '@pdf2press/engine';
import { sftpSecretSchema } from '@pdf2press/sftp/server';
import { triedSftpServerSchema } from '@pdf2press/sources/contracts';
import { trySftp } from '@pdf2press/sources/sftp';
import type { ApiDeps } from '../deps.ts';
import type { Bind } from '../frame/bind.ts';
import { asCaller } from '../frame/context.ts';
import { localeOf } from '../frame/errors.ts';
import { faultsOf, InvalidRequestError } from '../frame/read-part.ts';
import { secretToTry } from './connection-secrets.ts';
import { signalOf } from './consents.ts';
import { storedSettings } from './stored-settings.ts';

const kind = 'sftpServer';

export function bindSftpServers(bind: Bind, deps: ApiDeps): void {
  bind(routes.sftpServers.test, async ({ caller, request, body }) => {
    const read = triedSftpServerSchema.safeParse(body.settings, { reportInput: true });
    if (!read.success) throw new InvalidRequestError(faultsOf(read.error, 'settings'), 422);
    const { subscriberId } = caller;
    const secret = await asCaller(deps, caller, async (tx) => {
      const stored = body.id === undefined ? undefined : await storedSettings(tx, kind, body.id);
      return secretToTry(tx, deps, { kind, subscriberId, given: body.settings, settings: read.data, stored });
    });
    const { failed, ...trial } = await trySftp(read.data, {
      secret: sftpSecretSchema.parse(secret),
      tools: { addressOf: sourceAddress(deps.env.outboundAllowedHosts) },
      signal: signalOf(deps),
    });
    if (!failed) return { ...trial, failed };
    const { stage, code, params } = failed;
    return { ...trial, failed: { stage, code, message: sentence(contractMessages, localeOf(request), code, params) } };
  });
}
