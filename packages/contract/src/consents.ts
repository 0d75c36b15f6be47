import { z } from 'zod';
import type { FeatureKey, ProfileKind } from './enumerations.ts';
import { idParamsSchema, idSchema } from './paging.ts';
import { may, route } from './route.ts';

interface Consents<S extends z.ZodType<string>> {
  kind: ProfileKind & ('cloudStorage' | 'inboundEmail');
  feature: FeatureKey;
  /** The names of the services. */
  service: S;
  /** The page that a service leads people back to. */
  leadsBack: string;
}

/** The calls of a kind of profile whose account consents at a service (OAuth 2.0 with PKCE). */
export const consentRoutesOf = <S extends z.ZodType<string>>({ kind, feature, service, leadsBack }: Consents<S>) => ({
  services: route({
    method: 'GET',
    path: `/profiles/${kind}-services`,
    access: may(`${kind}.view`),
    feature,
    summary: 'The services that accounts can consent at, and whether this installation is registered at them',
    result: z.object({
      /** What is registered at the service as the address that it sends people back to. */
      redirect: z.string(),
      services: z.array(z.object({ provider: service, isSetUp: z.boolean(), variables: z.array(z.string()) })),
    }),
  }),
  connect: route({
    method: 'POST',
    path: `/profiles/${kind}/:id/connect`,
    access: may(`${kind}.manage`),
    feature,
    summary: `The page of the service at which the account consents; it leads back to ${leadsBack}`,
    params: idParamsSchema,
    body: z.object({}),
    result: z.object({ address: z.string() }),
    rateLimit: { max: 60, windowSeconds: 3600 },
  }),
  callback: route({
    method: 'POST',
    path: `/profiles/${kind}-callback`,
    access: may(`${kind}.manage`),
    feature,
    summary: 'Finish connecting with what the service has sent back, in the browser and by the person that began',
    body: z.object({
      state: z.string().min(1).max(200),
      code: z.string().max(4000).optional(),
      error: z.string().max(200).optional(),
      iss: z.string().max(500).optional(),
    }),
    result: z.object({ id: idSchema, name: z.string(), account: z.string() }),
    rateLimit: { max: 60, windowSeconds: 3600 },
  }),
});
