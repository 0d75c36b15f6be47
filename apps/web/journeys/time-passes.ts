import { Client } from 'pg';

/** Changes rows of the product's database as time would: what was to happen in hours is due now. */
export async function inDatabase(sql: string, values: readonly unknown[]): Promise<void> {
  const client = new Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  try {
    await client.query(sql, [...values]);
  } finally {
    await client.end();
  }
}
