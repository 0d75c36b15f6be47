import { workflowDefinitionSchema } from '@pdf2press/contract';
import { publishWorkflow, receiveFile } from '@pdf2press/engine';
import { defaultPreflightProfile, presetOf } from '@pdf2press/prepress/contracts';
import type { Prisma } from '@pdf2press/prisma';
import { newId, type Transaction } from '@pdf2press/prisma';
import type { ApiDeps } from '../deps.ts';
import { templateOf } from '../workflows/templates.ts';
import { samplePdfs } from './samples/sample-pdfs.ts';

const names = { profile: 'Standard preflight', workflow: 'Sample: preflight' };

async function makeProfile(tx: Transaction, userId: string): Promise<string> {
  const id = newId('profile');
  await tx.profile.create({
    data: { id, kind: 'preflight', name: names.profile, preset: presetOf('standard') ? 'standard' : null },
  });
  const settings = { ...defaultPreflightProfile(), name: names.profile } as unknown as Prisma.InputJsonObject;
  await tx.profileVersion.create({
    data: { id: newId('profileVersion'), profileId: id, no: 1, settings, createdById: userId },
  });
  return id;
}

async function makeWorkflow(tx: Transaction, userId: string, profileId: string): Promise<string> {
  const id = newId('workflow');
  const draft = workflowDefinitionSchema.parse(templateOf('preflight', { preflight: profileId }));
  await tx.workflow.create({
    data: { id, name: names.workflow, draft: draft as unknown as Prisma.InputJsonObject, createdById: userId },
  });
  const { issues } = await publishWorkflow(tx, id, userId);
  if (issues.length > 0)
    throw new Error(`the sample workflow breaks rules: ${issues.map(({ code }) => code).join(', ')}`);
  return id;
}

/**
 * Gives a new subscriber something to look at: a profile, a published workflow and two files that run through it as
 * soon as a worker is there. Begun a second time it changes nothing.
 */
export async function seedSamples(
  deps: ApiDeps,
  { subscriberId, userId, name }: { subscriberId: string; userId: string; name: string },
): Promise<void> {
  const context = { subscriberId, userId };
  const workflowId = await deps.db.withSubscriber(context, async (tx) => {
    const known = await tx.workflow.findFirst({ where: { name: names.workflow } });
    return known?.id ?? makeWorkflow(tx, userId, await makeProfile(tx, userId));
  });
  for (const { fileName, draw } of samplePdfs) {
    await receiveFile(deps.engine, {
      context,
      workflowId,
      source: 'ManualInjected',
      sourceName: name,
      fileName,
      bytes: (async function* once() {
        yield draw();
      })(),
      createdBy: { kind: 'user', id: userId, name },
      ingest: { kind: 'sample', key: fileName },
    });
  }
}
