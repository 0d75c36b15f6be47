import { createHash } from 'node:crypto';
import { DeliveryFaultError } from '@pdf2press/contract';
import type { DeliveryMessage, DeliveryRunner, OpenTarget, Parcel } from '../delivery.ts';
import { type emailContract, mostRecipients } from './contract.ts';

type Target = OpenTarget<typeof emailContract>;

const megabyte = 1024 * 1024;

/** Everybody who is to be written to, each once. @throws DeliveryFaultError `delivery.noRecipient` */
function recipientsOf({ tools: { mail } }: Target, text: string): string[] {
  const { good, bad } = mail.addressesIn(text);
  const all = [...new Set(good.map((address) => address.toLowerCase()))];
  if (all.length === 0 || bad.length > 0 || all.length > mostRecipients)
    throw new DeliveryFaultError('delivery.noRecipient', { text: text.slice(0, 200) });
  return all;
}

/** The file itself, or where it is too large for a mail, the way to it. */
async function enclosed({ settings, tools }: Target, { file, name }: Parcel): Promise<DeliveryMessage['file']> {
  const { path, size, mediaType } = file;
  if (size <= settings.attachUpToMb * megabyte) return { name, size, path, mediaType };
  return { name, size, link: await tools.mail.openLink(settings.linkDays) };
}

const keyOf = (parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 40);

export const runner: DeliveryRunner<typeof emailContract> = {
  deliver: async (target, parcel) => {
    const { settings, tools, signal } = target;
    const [to = '', subject = '', text = ''] = await tools.mail.fillIn([settings.to, settings.subject, settings.text]);
    const shownTo = recipientsOf(target, to);
    const file = await enclosed(target, parcel);
    let sentTo = parcel.sentTo;
    for (const address of shownTo.filter((each) => !sentTo.includes(each))) {
      signal.throwIfAborted();
      await tools.mail.send({ to: address, shownTo, subject, text, file, key: keyOf([parcel.key, address]) });
      // After each: what one server refuses later lets nobody be written to twice.
      sentTo = [...sentTo, address];
      await parcel.keep({ sentTo });
    }
    return shownTo.join(', ');
  },
  tryOut: async ({ tools: { mail }, settings }, { reach }) => {
    reach('connect');
    await mail.verify();
    reach('write');
    const { trier } = mail;
    if (trier === null) return;
    const key = keyOf([trier, String(Date.now())]);
    await mail.send({ to: trier, shownTo: [trier], subject: settings.subject, text: settings.text, file: null, key });
  },
};
