import { featureKeys, type HostSubscriberDetails, hostRoutes, locales } from '@pdf2press/contract';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { useSchemaForm } from '../frame/use-schema-form.ts';

const made = hostRoutes.create.body;
const changed = hostRoutes.update.body;
export type SubscriberFields = z.input<typeof made>;
export type GivenSubscriber = z.output<typeof made>;

const noLimits = { sessionsPerMonth: null, storageBytes: null, users: null, uploadBytes: null };
const noPlan = { name: '', quotas: noLimits, storage: { includedBytes: null, pricePerGb: 0, currency: 'USD' } };

/** The form of a subscriber; a new one comes with its first administrator. */
export function useSubscriberForm(subscriber: HostSubscriberDetails | null) {
  const { i18n } = useTranslation();
  const locale = locales.find((one) => one === i18n.language) ?? 'en';
  const person = { firstName: '', lastName: '', email: '', locale };
  // One that is there has no administrator in its form: nothing is asked of these fields, and nothing is sent.
  const schema = subscriber ? changed.extend({ administrator: made.shape.administrator.partial() }) : made;
  return useSchemaForm(schema as typeof made, {
    values: {
      name: subscriber?.name ?? '',
      plan: subscriber?.plan ?? noPlan,
      features: subscriber?.features ?? [...featureKeys],
      administrator: subscriber ? {} : person,
    } as SubscriberFields,
    mode: 'onTouched',
    resetOptions: { keepDirtyValues: true },
  });
}
