import { workflowDefinitionSchema } from '@pdf2press/contract';
import { publishWorkflow, receiveFile } from '@pdf2press/engine';
import { defaultPreflightProfile, presetOf } from '@pdf2press/preflight/contracts';
import { newId, type Transaction, toJson } from '@pdf2press/prisma';
import type { ApiDeps } from '../deps.ts';
import { samplePdfs } from './samples/sample-pdfs.ts';

const names = { profile: 'Standard preflight', workflow: 'Sample: preflight' };

async function makeProfile(tx: Transaction, userId: string): Promise<string> {
  const id = newId('profile');
  await tx.profile.create({
    data: { id, kind: 'preflight', name: names.profile, preset: presetOf('standard') ? 'standard' : null },
  });
  const settings = toJson({ ...defaultPreflightProfile(), name: names.profile });
  await tx.profileVersion.create({
    data: { id: newId('profileVersion'), profileId: id, no: 1, settings, createdById: userId },
  });
  return id;
}

async function makeWorkflow(tx: Transaction, userId: string, profileId: string): Promise<string> {
  const id = newId('workflow');
  const draft = workflowDefinitionSchema.parse({
    steps: [
      { id: 'inject', kind: 'Inject', position: { x: 0, y: 0 } },
      { id: 'preflight', kind: 'Preflight', settings: { profileId }, position: { x: 240, y: 0 } },
      { id: 'complete', kind: 'Complete', position: { x: 480, y: 0 } },
    ],
    edges: [
      { id: 'a', from: 'inject', outcome: 'done', to: 'preflight' },
      { id: 'b', from: 'preflight', outcome: 'done', to: 'complete' },
    ],
  });
  await tx.workflow.create({
    data: { id, name: names.workflow, draft: toJson(draft), createdById: userId },
  });
  const { issues } = await publishWorkflow(tx, id, userId);
  if (issues.length > 0)
    throw new Error(`the sample workflow breaks rules: ${issues.map(({ code }) => code).join(', ')}`);
  return id;
}

/**
 * Gives a new subscriber samples: a profile, a published workflow and two files that run through it as soon as a worker
 * runs. Running it again changes nothing.
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
