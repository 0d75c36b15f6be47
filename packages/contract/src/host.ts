import { z } from 'zod';
import { featureKeySchema, featureKeys } from './enumerations.ts';
import { exportOf } from './list-export.ts';
import { localeSchema } from './locale-schema.ts';
import { idParamsSchema, idSchema, listOf, nameSchema, pageOf, pagingSchema, sortedBy, timeSchema } from './paging.ts';
import type { HostPermission } from './permissions.ts';
import { overageSchema, subscriberPlanSchema, usageSchema } from './plans.ts';
import { type Access, route } from './route.ts';

/** Access for administrators of the installation. */
export const forHost = (permission: HostPermission): Access => ({ kind: 'host', permission });

export const hostSubscriberSchema = z.object({
  id: idSchema,
  name: z.string(),
  /** False = suspended: nobody signs in and no new file comes; what was taken runs on. */
  isActive: z.boolean(),
  /** The caller's own, which cannot be suspended. */
  isOwn: z.boolean(),
  createdAt: timeSchema,
  features: z.array(featureKeySchema),
  plan: subscriberPlanSchema,
  usage: usageSchema,
});
export type HostSubscriber = z.infer<typeof hostSubscriberSchema>;

/** A subscriber with what its storage costs. */
const hostSubscriberDetailsSchema = hostSubscriberSchema.extend({ overage: overageSchema });
export type HostSubscriberDetails = z.infer<typeof hostSubscriberDetailsSchema>;

const bodySchema = z.object({
  name: nameSchema,
  plan: subscriberPlanSchema.prefault({}),
  features: z
    .array(featureKeySchema)
    .max(featureKeys.length)
    .default([...featureKeys]),
});

const administratorSchema = z.object({
  firstName: z.string().trim().min(1).max(100),
  lastName: z.string().trim().max(100).default(''),
  email: z.string().trim().max(254).pipe(z.email()),
  locale: localeSchema.default('en'),
});

/** What the list of subscribers is sorted by. */
export const hostSorts = ['name', 'state', 'sessionsPerMonth', 'storageBytes', 'users', 'createdAt'] as const;
export type HostSort = (typeof hostSorts)[number];

/** Whether a subscriber works: suspended, nobody signs in. */
export const hostStates = ['active', 'suspended'] as const;
export type HostState = (typeof hostStates)[number];

const hostFilterSchema = z.object({
  search: pagingSchema.shape.search,
  states: listOf(z.enum(hostStates)),
  ...sortedBy(hostSorts),
});

/** For administrators of the installation: whom it serves, and with which plan. */
export const hostRoutes = {
  list: route({
    method: 'GET',
    path: '/host/subscribers',
    access: forHost('host.subscribers.manage'),
    summary: 'Subscribers of the installation with their plans and what they use',
    query: pagingSchema.extend(hostFilterSchema.shape),
    result: pageOf(hostSubscriberSchema),
  }),
  export: exportOf('/host/subscribers', forHost('host.subscribers.manage'), hostFilterSchema),
  get: route({
    method: 'GET',
    path: '/host/subscribers/:id',
    access: forHost('host.subscribers.manage'),
    summary: 'One subscriber',
    params: idParamsSchema,
    result: hostSubscriberDetailsSchema,
  }),
  create: route({
    method: 'POST',
    path: '/host/subscribers',
    access: forHost('host.subscribers.manage'),
    summary: 'Make a subscriber with its first administrator, who gets an activation e-mail',
    body: bodySchema.extend({ administrator: administratorSchema }),
    /** The link of the activation e-mail: only here and only now, and only while no mail server would send it. */
    result: hostSubscriberDetailsSchema.extend({ activationLink: z.string().nullable() }),
    status: 201,
  }),
  update: route({
    method: 'PUT',
    path: '/host/subscribers/:id',
    access: forHost('host.subscribers.manage'),
    summary: 'Change the name, the plan and the features of a subscriber; other features need host.features.manage',
    params: idParamsSchema,
    body: bodySchema,
    result: hostSubscriberDetailsSchema,
  }),
  suspend: route({
    method: 'POST',
    path: '/host/subscribers/:id/suspend',
    access: forHost('host.subscribers.manage'),
    summary: 'Suspend a subscriber: its people are signed out, no new file comes, what was taken runs on',
    params: idParamsSchema,
    result: hostSubscriberDetailsSchema,
  }),
  resume: route({
    method: 'POST',
    path: '/host/subscribers/:id/resume',
    access: forHost('host.subscribers.manage'),
    summary: 'Resume a suspended subscriber',
    params: idParamsSchema,
    result: hostSubscriberDetailsSchema,
  }),
};
