import type { KeptReason, PersonKind } from '@pdf2press/contract';
import { Prisma, type Transaction } from '@pdf2press/prisma';
import { markDeleted } from '../commands/session-commands.ts';
import type { Actor } from '../deps.ts';
import { hiddenAfterDays } from '../files/empty-deleted.ts';
import { removeFilesOfNote } from '../proofs/note-file-rows.ts';
import { lockSession } from '../sessions/session-row.ts';
import { type Person, staysBecause } from './person.ts';

/*
 * All that may be kept about a person, a kind each: what finds it, what of it an export shows, and what an erasure does with
 * it. Export, trial run and erasure read this one table, so that none knows more than the others. A test compares it with the
 * database's schema: a column that could hold a name or an address must be here or in `nobody.ts`.
 */

/** What an erasure does with rows that nothing keeps; `ids` as the kind's `id` gives them. */
interface Erasure {
  fate: 'removed' | 'anonymised';
  run: (tx: Transaction, person: Person, ids: readonly string[], by: Actor) => Promise<unknown>;
}

export interface Holding {
  table: string;
  /** What tells a row from others, in SQL; `held` is the row. */
  id: string;
  /** Columns of the table that an export shows: never a secret or its hash. */
  shows: readonly string[];
  /** Columns that are not shown and go with the row, `Model.field`, or `Model` for all of a table that belongs to it. */
  carries?: readonly string[];
  /** Whether a row is the person's. */
  find: (person: Person) => Prisma.Sql;
  /** Why a row stays as it is, in SQL; null where nothing keeps it. */
  kept: (person: Person) => Prisma.Sql;
  /** Absent = every row is kept. */
  erasure?: Erasure;
}

const column = (name: string): Prisma.Sql => Prisma.raw(`held.${name}`);
const list = (ids: readonly string[]): Prisma.Sql => Prisma.sql`any(${[...ids]}::text[])`;

/** The address stands in one of the columns, whatever their type. */
const mentions = ({ pattern }: Person, ...columns: string[]): Prisma.Sql =>
  Prisma.sql`(${Prisma.join(
    columns.map((name) => Prisma.sql`coalesce(${column(name)}::text ~* ${pattern}, false)`),
    ' or ',
  )})`;

/** An assignment that writes the placeholder for the address: into text, or into JSON. */
const without = ({ pattern, placeholder }: Person, name: string, type: 'text' | 'jsonb'): Prisma.Sql =>
  Prisma.sql`${Prisma.raw(name)} = regexp_replace(${column(name)}::text, ${pattern}, ${placeholder}, 'gi')::${Prisma.raw(type)}`;

const isActor = ({ userId }: Person, name: string): Prisma.Sql =>
  Prisma.sql`coalesce(${column(name)} ->> 'id' = ${userId}::text, false)`;
const ofUser =
  (name: string) =>
  ({ userId }: Person): Prisma.Sql =>
    Prisma.sql`${column(name)} = ${userId}::text`;

const always = (reason: KeptReason) => (): Prisma.Sql => Prisma.sql`${reason}`;
const never = (): Prisma.Sql => Prisma.sql`null`;
/** As its session. */
const likeSession = (): Prisma.Sql =>
  Prisma.sql`(select ${staysBecause} from sessions where sessions.id = held.session_id)`;
/** The history of a session goes with it and never before: the database refuses to change it. */
const withSession = ({ going }: Person): Prisma.Sql =>
  Prisma.sql`case when held.session_id = ${list(going)} then null else 'history' end`;

const matching = (id: string, ids: readonly string[]): Prisma.Sql => Prisma.sql`${Prisma.raw(id)} = ${list(ids)}`;

const removing = (table: string, id = 'held.id'): Erasure => ({
  fate: 'removed',
  run: (tx, _, ids) => tx.$executeRaw`delete from ${Prisma.raw(table)} held where ${matching(id, ids)}`,
});
const anonymising = (table: string, set: (person: Person) => readonly Prisma.Sql[], id = 'held.id'): Erasure => ({
  fate: 'anonymised',
  run: (tx, person, ids) =>
    tx.$executeRaw`update ${Prisma.raw(table)} held set ${Prisma.join(set(person))} where ${matching(id, ids)}`,
});
/** The row stays without its name, and opens nothing any more. */
const revoking = (table: string): Erasure =>
  anonymising(table, () => [Prisma.sql`name = ''`, Prisma.sql`revoked_at = coalesce(revoked_at, clock_timestamp())`]);
/** Goes when the collector empties the session that an erasure deletes. */
const leavingWithSession: Erasure = { fate: 'removed', run: async () => undefined };

const rowId = 'held.id';
const arrivalId = `held.source_kind || ' ' || held.source_key`;
const versionId = `held.profile_id || ' ' || held.no`;
const identityId = `held.issuer || ' ' || held.subject`;

/** Closes the account: the row stays without a name for what refers to it, and the address can be used again. */
const closeAccount: Erasure = {
  fate: 'anonymised',
  run: async (tx, _, [id]) => {
    if (!id) return;
    await tx.$executeRaw`
      delete from secrets where id in (select secret_id from second_factors where user_id = ${id})`;
    await tx.$executeRaw`delete from second_factors where user_id = ${id}`;
    await tx.$executeRaw`delete from user_roles where user_id = ${id}`;
    await tx.$executeRaw`delete from user_organizations where user_id = ${id}`;
    await tx.$executeRaw`
      update users set deleted_at = clock_timestamp(), is_active = false, email = 'deleted-' || id,
                       user_name = 'deleted-' || id, first_name = '', last_name = '', phone = '', password_hash = null,
                       preferences = '{}', permission_version = permission_version + 1
       where id = ${id}`;
  },
};

/**
 * Deletes the sessions as a person would. Nobody is to see them as deleted for a while: the row loses its names at once, and
 * the collector empties it and removes its bytes with its next round.
 */
const deleteSessions: Erasure = {
  fate: 'removed',
  run: async (tx, _, ids, by) => {
    for (const id of ids) {
      const session = await lockSession(tx, id);
      if (session && !session.isDeleted) await markDeleted(tx, session, by);
    }
    await tx.$executeRaw`
      update sessions
         set deleted_at = clock_timestamp() - make_interval(days => ${hiddenAfterDays}::int), file_name = '', source_name = '',
             variables = '{}', arrival = '{}', created_by = '{}', error_params = null, assignee_id = null, external_id = null
       where id = ${list(ids)}`;
  },
};

const eraseNotes: Erasure = {
  fate: 'anonymised',
  run: async (tx, person, ids) => {
    const notes = await tx.proofNote.findMany({ where: { id: { in: [...ids] } }, select: { id: true, proofId: true } });
    for (const { id, proofId } of notes) await removeFilesOfNote(tx, { noteId: id, proofId });
    await tx.$executeRaw`
      update proof_notes held set author_name = '', ${without(person, 'text', 'text')} where ${matching(rowId, ids)}`;
  },
};

const eraseMessages: Erasure = {
  fate: 'removed',
  run: async (tx, _, ids) => {
    await tx.$executeRaw`
      delete from secrets where id in (select payload ->> 'linkSecretId' from effects where id = ${list(ids)})`;
    await tx.$executeRaw`delete from effects where id = ${list(ids)}`;
  },
};

export const catalogue: Readonly<Record<Exclude<PersonKind, 'keptMessages'>, Holding>> = {
  account: {
    table: 'users',
    id: rowId,
    shows: [
      ...['id', 'first_name', 'last_name', 'user_name', 'email', 'phone', 'locale', 'preferences', 'is_active'],
      ...['created_at', 'last_signed_in_at'],
    ],
    find: ofUser('id'),
    kept: never,
    erasure: closeAccount,
  },
  signIns: {
    table: 'user_sessions',
    id: rowId,
    carries: ['RefreshToken'],
    shows: ['user_agent', 'ip', 'created_at', 'last_seen_at', 'revoked_at'],
    find: ofUser('user_id'),
    kept: never,
    erasure: removing('user_sessions'),
  },
  passkeys: {
    table: 'passkeys',
    id: rowId,
    shows: ['name', 'created_at', 'last_used_at'],
    find: ofUser('user_id'),
    kept: never,
    erasure: removing('passkeys'),
  },
  identities: {
    table: 'user_identities',
    id: identityId,
    shows: ['issuer', 'subject', 'created_at'],
    find: ofUser('user_id'),
    kept: never,
    erasure: removing('user_identities', identityId),
  },
  links: {
    table: 'one_time_tokens',
    id: rowId,
    carries: ['OneTimeToken.data'],
    shows: ['purpose', 'created_at', 'used_at', 'expires_at'],
    find: (person) => Prisma.sql`(${ofUser('user_id')(person)} or ${mentions(person, 'data')})`,
    kept: never,
    erasure: removing('one_time_tokens'),
  },
  apiKeys: {
    table: 'api_keys',
    id: rowId,
    shows: ['name', 'permissions', 'created_at', 'expires_at', 'last_used_at', 'revoked_at'],
    find: ofUser('created_by_id'),
    kept: never,
    erasure: revoking('api_keys'),
  },
  embedTokens: {
    table: 'embed_tokens',
    id: rowId,
    shows: ['name', 'permissions', 'origins', 'created_at', 'expires_at', 'last_used_at', 'revoked_at'],
    find: ofUser('created_by_id'),
    kept: never,
    erasure: revoking('embed_tokens'),
  },
  views: {
    table: 'session_views',
    id: rowId,
    shows: ['name', 'question', 'shared_with', 'created_at'],
    find: (person) => Prisma.sql`(${ofUser('owner_id')(person)} or ${mentions(person, 'name', 'question')})`,
    kept: never,
    erasure: removing('session_views'),
  },
  notices: {
    table: 'notifications',
    id: rowId,
    shows: ['kind', 'data', 'cause', 'created_at', 'read_at'],
    find: (person) => Prisma.sql`(${ofUser('user_id')(person)} or ${mentions(person, 'data', 'cause')})`,
    kept: never,
    erasure: removing('notifications'),
  },
  sent: {
    table: 'sessions',
    id: rowId,
    carries: ['File', 'FileLink', 'Finding'],
    shows: [
      ...['id', 'file_name', 'source', 'source_name', 'external_id', 'status', 'variables', 'decisions', 'arrival'],
      ...['error_params', 'created_by', 'created_at', 'finished_at', 'deleted_at'],
    ],
    find: ({ sent }) => Prisma.sql`held.id = ${list(sent)}`,
    kept: () => staysBecause,
    erasure: deleteSessions,
  },
  named: {
    table: 'sessions',
    id: rowId,
    shows: [
      ...['id', 'file_name', 'source', 'source_name', 'external_id', 'status', 'variables', 'decisions', 'arrival'],
      ...['error_params', 'created_by', 'assignee_id', 'created_at'],
    ],
    find: (person) => Prisma.sql`
      held.emptied_at is null and held.id <> all(${[...person.sent]}::text[])
      and (${isActor(person, 'created_by')} or ${ofUser('assignee_id')(person)}
        or ${mentions(person, 'source_name', 'external_id', 'variables', 'decisions', 'arrival', 'created_by', 'error_params')})`,
    kept: () => staysBecause,
    erasure: anonymising('sessions', (person) => [
      Prisma.sql`source_name = case when ${isActor(person, 'created_by')} then '' else
                   regexp_replace(held.source_name, ${person.pattern}, ${person.placeholder}, 'gi') end`,
      Prisma.sql`created_by = case when ${isActor(person, 'created_by')} then '{}' else
                   regexp_replace(held.created_by::text, ${person.pattern}, ${person.placeholder}, 'gi')::jsonb end`,
      Prisma.sql`assignee_id = nullif(held.assignee_id, ${person.userId}::text)`,
      without(person, 'external_id', 'text'),
      without(person, 'variables', 'jsonb'),
      without(person, 'decisions', 'jsonb'),
      without(person, 'arrival', 'jsonb'),
      without(person, 'error_params', 'jsonb'),
    ]),
  },
  arrivals: {
    table: 'ingest_items',
    id: arrivalId,
    shows: [
      'source_kind',
      'source_name',
      'name',
      'way',
      'state',
      'reason',
      'reason_params',
      'created_at',
      'session_id',
    ],
    find: (person) => Prisma.sql`
      (held.session_id = ${list(person.sent)} or ${mentions(person, 'source_name', 'way', 'reason_params')}
        or held.session_id in (select id from sessions where created_by ->> 'id' = ${person.userId}::text))`,
    kept: () => Prisma.sql`case when held.state in ('Seen', 'Retry') then 'running' else ${likeSession()} end`,
    // The row stays, so that nothing is taken twice.
    erasure: anonymising(
      'ingest_items',
      () => [Prisma.sql`name = '', source_name = '', reason_params = null, way = null`],
      arrivalId,
    ),
  },
  uploads: {
    table: 'uploads',
    id: rowId,
    shows: ['file_name', 'declared_size', 'principal', 'metadata', 'state', 'created_at', 'session_id'],
    find: (person) => Prisma.sql`
      (held.session_id = ${list(person.sent)} or ${isActor(person, 'principal')} or ${mentions(person, 'metadata')})`,
    kept: () => Prisma.sql`case when held.state = 'Open' then 'running' else ${likeSession()} end`,
    erasure: removing('uploads'),
  },
  visits: {
    table: 'upload_visits',
    id: rowId,
    shows: ['reference', 'receipt', 'created_at'],
    find: ({ sent }) => Prisma.sql`
      held.id in (select created_by ->> 'id' from sessions where id = ${list(sent)})`,
    kept: ({ sent, going }) => Prisma.sql`
      (select ${staysBecause} from sessions
        where created_by ->> 'id' = held.id and id = ${list(sent)} and id <> all(${[...going]}::text[]) limit 1)`,
    erasure: removing('upload_visits'),
  },
  recipients: {
    table: 'proof_recipients',
    id: rowId,
    shows: [
      ...['id', 'session_id', 'proof_id', 'name', 'email', 'locale', 'asked_at', 'first_viewed_at', 'last_viewed_at'],
      ...['view_count', 'pages_seen', 'reminders_sent'],
    ],
    find: ({ recipients }) => Prisma.sql`held.id = ${list(recipients)}`,
    kept: likeSession,
    erasure: anonymising('proof_recipients', ({ placeholder }) => [
      Prisma.sql`name = ''`,
      Prisma.sql`email = ${placeholder}`,
      Prisma.sql`link_revoked_at = coalesce(link_revoked_at, clock_timestamp())`,
    ]),
  },
  decisions: {
    table: 'proof_decisions',
    id: rowId,
    shows: ['id', 'session_id', 'proof_id', 'decision', 'record', 'notes'],
    find: (person) => Prisma.sql`
      (held.recipient_id = ${list(person.recipients)} or ${mentions(person, 'record', 'notes')})`,
    kept: always('evidence'),
  },
  notes: {
    table: 'proof_notes',
    id: rowId,
    shows: ['session_id', 'proof_id', 'no', 'page', 'text', 'author_name', 'created_at', 'removed_at'],
    find: (person) => Prisma.sql`
      (held.recipient_id = ${list(person.recipients)} or ${mentions(person, 'text')}
        or held.recipient_id is null and ${person.name}::text <> '' and held.author_name = ${person.name})`,
    kept: likeSession,
    erasure: eraseNotes,
  },
  privateNotes: {
    table: 'private_notes',
    id: rowId,
    shows: ['session_id', 'proof_id', 'author', 'text', 'created_at'],
    find: (person) => Prisma.sql`(${isActor(person, 'author')} or ${mentions(person, 'text')})`,
    kept: likeSession,
    erasure: removing('private_notes'),
  },
  comments: {
    table: 'session_comments',
    id: rowId,
    shows: ['session_id', 'author', 'text', 'created_at'],
    find: (person) => Prisma.sql`(${isActor(person, 'author')} or ${mentions(person, 'text')})`,
    kept: likeSession,
    erasure: removing('session_comments'),
  },
  messages: {
    table: 'effects',
    id: rowId,
    shows: [
      ...['kind', 'key', 'session_id', 'state', 'payload', 'answer', 'progress', 'last_error', 'remote_ref'],
      ...['created_at', 'done_at'],
    ],
    find: (person) => mentions(person, 'key', 'payload', 'answer', 'progress', 'last_error', 'remote_ref'),
    kept: () => Prisma.sql`case when held.state in ('Pending', 'Sending') then 'running' else ${likeSession()} end`,
    erasure: eraseMessages,
  },
  history: {
    table: 'session_events',
    id: 'held.seq::text',
    shows: ['session_id', 'kind', 'actor', 'data', 'at'],
    find: (person) => Prisma.sql`(${isActor(person, 'actor')} or ${mentions(person, 'actor', 'data')})`,
    kept: withSession,
    erasure: leavingWithSession,
  },
  steps: {
    table: 'step_runs',
    id: rowId,
    shows: ['session_id', 'kind', 'status', 'input', 'output', 'error_params', 'created_at'],
    find: (person) => mentions(person, 'input', 'output', 'error_params'),
    kept: withSession,
    erasure: leavingWithSession,
  },
  waits: {
    table: 'waits',
    id: rowId,
    shows: ['session_id', 'kind', 'data', 'decision', 'decided_by', 'decision_data', 'decided_at'],
    find: (person) => Prisma.sql`
      (${isActor(person, 'decided_by')} or ${ofUser('assignee_id')(person)}
        or ${mentions(person, 'data', 'decided_by', 'decision_data')})`,
    kept: withSession,
    erasure: leavingWithSession,
  },
  proofs: {
    table: 'proofs',
    id: rowId,
    shows: ['id', 'session_id', 'profile_name', 'settings', 'state', 'created_at'],
    find: (person) => mentions(person, 'settings'),
    kept: withSession,
    erasure: leavingWithSession,
  },
  fonts: {
    table: 'fonts',
    id: rowId,
    shows: ['file_name', 'full_name', 'created_by', 'created_at'],
    find: ({ name, email }) =>
      Prisma.sql`(held.created_by = ${email}::text or ${name}::text <> '' and held.created_by = ${name})`,
    kept: never,
    erasure: anonymising('fonts', () => [Prisma.sql`created_by = ''`]),
  },
  settings: {
    table: 'system_settings',
    id: rowId,
    shows: ['smtp_settings', 'proof_approval_settings', 'user_settings', 'extra'],
    find: (person) => mentions(person, 'smtp_settings', 'proof_approval_settings', 'user_settings', 'extra'),
    kept: always('configuration'),
  },
  organizations: {
    table: 'organizations',
    id: rowId,
    shows: ['id', 'name', 'options'],
    find: (person) => mentions(person, 'name', 'options'),
    kept: always('configuration'),
  },
  profiles: {
    table: 'profile_versions',
    id: versionId,
    shows: ['profile_id', 'no', 'settings', 'created_at'],
    find: (person) => mentions(person, 'settings'),
    kept: always('configuration'),
  },
  workflows: {
    table: 'workflows',
    id: rowId,
    shows: ['id', 'name', 'description', 'draft'],
    find: (person) => mentions(person, 'name', 'description', 'draft'),
    kept: always('configuration'),
  },
  workflowVersions: {
    table: 'workflow_versions',
    id: rowId,
    shows: ['workflow_id', 'no', 'definition', 'profiles', 'trial', 'created_at'],
    find: (person) => mentions(person, 'definition', 'profiles', 'trial'),
    kept: always('configuration'),
  },
  audit: {
    table: 'audit_entries',
    id: 'held.no::text',
    shows: ['no', 'actor', 'act', 'object', 'before', 'after', 'ip', 'at'],
    find: (person) => Prisma.sql`
      (${isActor(person, 'actor')} or held.object = ${person.userId}::text
        or ${mentions(person, 'actor', 'before', 'after')})`,
    kept: always('evidence'),
  },
};
