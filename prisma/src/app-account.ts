/* Exported as `@pdf2press/prisma/app-account`: whom the apps sign in as where the product runs its own Postgres. */
import { createHmac } from 'node:crypto';
import { connected } from './migrate.ts';

export const appAccount = 'pdf2press_login';

/**
 * Makes the account that the apps connect with, or brings it up to date, and returns its URL. It owns no table and is not
 * above row-level security; what it may, it may as one of the two roles of the wall. Its password follows from the owner's,
 * which does not follow from it. Call it after `deploy`, with the owner's URL.
 */
export async function openAppAccount(ownerUrl: string): Promise<string> {
  const url = new URL(ownerUrl);
  const password = createHmac('sha256', decodeURIComponent(url.password)).update(appAccount).digest('hex');
  await connected(ownerUrl, async (client) => {
    await client.query(`
      do $$ begin create role ${appAccount}; exception when duplicate_object then null; end $$;
      set password_encryption = 'scram-sha-256';
      alter role ${appAccount} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls noinherit
        password '${password}';
      grant pdf2press_app, pdf2press_host to ${appAccount};
      grant select on _prisma_migrations to ${appAccount}`);
    // The queue keeps its tables in a schema of its own and makes them itself. They only hold wake-up calls, so those that
    // another account made, in releases before, are thrown away.
    const { rows } = await client.query<{ owner: string }>(
      `select nspowner::regrole::text as owner from pg_namespace where nspname = 'bullmq'`,
    );
    if (rows[0] && rows[0].owner !== appAccount) await client.query('drop schema bullmq cascade');
    await client.query(
      `do $$ begin execute format('grant create on database %I to ${appAccount}', current_database()); end $$`,
    );
  });
  url.username = appAccount;
  url.password = password;
  return url.href;
}
