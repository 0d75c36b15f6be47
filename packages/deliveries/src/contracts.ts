/* Exported as `@pdf2press/deliveries/contracts`: the ways out. One import and one line per kind. */
import type { DeliveryKind } from '@pdf2press/contract';
import { z } from 'zod';
import { cloudContract } from './cloud/contract.ts';
import type { DeliveryContract } from './delivery.ts';
import { emailContract } from './email/contract.ts';
import { folderContract } from './folder/contract.ts';
import { s3Contract } from './s3/contract.ts';
import { sftpContract } from './sftp/contract.ts';
import { webhookContract } from './webhook/contract.ts';

export type { DeliveryContract } from './delivery.ts';

export const deliveryContracts = {
  folder: folderContract,
  s3: s3Contract,
  sftp: sftpContract,
  cloud: cloudContract,
  webhook: webhookContract,
  email: emailContract,
} satisfies { [K in DeliveryKind]: DeliveryContract & { kind: K } };

const { folder, s3, sftp, cloud, webhook, email } = deliveryContracts;
const named = <K extends string, S extends z.ZodRawShape>(kind: K, settings: z.ZodObject<S>) =>
  settings.extend({ kind: z.literal(kind) });

/** The settings of a target, without its secret. */
export const deliverySettingsSchema = z.discriminatedUnion('kind', [
  named('folder', folder.settings),
  named('s3', s3.settings),
  named('sftp', sftp.settings),
  named('cloud', cloud.settings),
  named('webhook', webhook.settings),
  named('email', email.settings),
]);
export type DeliverySettings = z.output<typeof deliverySettingsSchema>;

/** The kind that settings name; undefined for anything else. */
export const deliveryContractOf = (settings: { readonly kind?: unknown }): DeliveryContract | undefined =>
  typeof settings.kind === 'string' && Object.hasOwn(deliveryContracts, settings.kind)
    ? deliveryContracts[settings.kind as DeliveryKind]
    : undefined;
