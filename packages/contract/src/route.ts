import type { z } from 'zod';
import type { FeatureKey } from './enumerations.ts';
import type { wireErrorSchema } from './errors.ts';
import type { HostPermission, Permission } from './permissions.ts';

/**
 * Who may call a route: everyone, everyone who is signed in, holders of any one of the permissions, or the host's
 * administrators. A route cannot be declared without it.
 */
export type Access =
  | { kind: 'public' }
  | { kind: 'signedIn' }
  | { kind: 'permission'; anyOf: readonly [Permission, ...Permission[]] }
  | { kind: 'host'; permission: HostPermission };

export const publicAccess: Access = { kind: 'public' };
export const signedIn: Access = { kind: 'signedIn' };
export const may = (...anyOf: [Permission, ...Permission[]]): Access => ({ kind: 'permission', anyOf });

/** The form of a response: the JSON envelope, raw bytes, server-sent events, or the tus protocol. */
export type Wire = 'envelope' | 'bytes' | 'events' | 'tus';

/** What a client needs to call a route. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api`, parameters as `:id`. */
  path: string;
  /** A client only needs to know whether somebody must be signed in. */
  access: { kind: Access['kind'] };
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The type of `result` in the envelope. */
  result?: z.ZodType;
}

export interface Route extends Call {
  access: Access;
  /** One English line for the OpenAPI document. */
  summary: string;
  /** Success status, 200 unless said. */
  status?: 200 | 201 | 202 | 204 | 303;
  wire?: Wire;
  /** Allowed to embedded pages although it requires no permission, because it concerns no account. */
  isEmbeddable?: true;
  /** Open to people whose role demands a second factor that they have not set up: what setting it up takes. */
  isBeforeSecondFactor?: true;
  /** A plan feature that the route needs. */
  feature?: FeatureKey;
  /** The longest JSON body in bytes; 1 MiB unless said, of public routes 16 KiB. */
  bodyBytes?: number;
  /** Requests per caller where the limit differs from the default (docs/security.md). */
  rateLimit?: { max: number; windowSeconds: number };
}

/** Keeps the literal types of a route for client and server. */
export const route = <const R extends Route>(definition: R): R => definition;

/**
 * A route as the browser bundle contains it: without its schemas. `typedBy` exists only in the type and keeps the schemas'
 * types.
 */
export interface CallOf<R extends Route> {
  method: R['method'];
  path: R['path'];
  access: Call['access'];
  readonly typedBy?: R;
}
type Typed<R extends Call> = 'typedBy' extends keyof R ? (R extends CallOf<infer F> ? F : R) : R;

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;
type Input<S> = S extends z.ZodType ? z.input<S> : undefined;
export type RouteResult<R extends Call> = Output<Typed<R>['result']>;
export type RouteBody<R extends Call> = Input<Typed<R>['body']>;
export type RouteQuery<R extends Call> = Input<Typed<R>['query']>;
export type RouteParams<R extends Call> = Input<Typed<R>['params']>;

/** The envelope of every JSON response: `{ success, result, errors: [{ code, message }] }`. */
export interface Envelope<T> {
  success: boolean;
  result: T | null;
  errors: z.infer<typeof wireErrorSchema>[];
}
