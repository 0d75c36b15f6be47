import path from 'node:path';
import { FileFaultError } from '@pdf2press/contract';
import type { StepFile } from '../step.ts';
import type { StepRunner } from '../step-runner.ts';
import { valuesFor } from '../text-of.ts';
import { drawMade, picturesIn } from '../thumbnails.ts';
import type { imposeContract } from './contract.ts';

const mediaTypes: Readonly<Record<string, string>> = {
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.tif': 'image/tiff',
  '.json': 'application/json',
  '.jdf': 'application/vnd.cip4-jdf+xml',
  '.xjdf': 'application/vnd.cip4-xjdf+xml',
};

/** Whether the dies are wanted as a file of their own. */
const asksForDies = ({ die }: { die?: unknown }): boolean =>
  typeof die === 'object' &&
  die !== null &&
  'onOutput' in die &&
  ['SeparateFile', 'Both'].includes(String(die.onOutput));

export const runImpose: StepRunner<typeof imposeContract> = async (context, tools) => {
  const { file, profile, session, workDir } = context;
  if (!profile) throw new FileFaultError('SETTINGS_INVALID', { field: 'profileId' });
  const given = Object.entries(session.variables).map(([name, value]) => [name, value === null ? '' : String(value)]);
  const result = await tools.runTask('impose', {
    inputs: [{ path: file.path }],
    profile: profile.settings,
    outputs: ['output', 'plan', 'jdf', 'xjdf', 'dummy', ...(asksForDies(profile.settings) ? (['dies'] as const) : [])],
    pictures: picturesIn(workDir),
    variables: {
      ...(await valuesFor(context, profile.settings)),
      ...Object.fromEntries(given),
      'file.name': file.name,
      'session.id': session.id,
      date: session.createdAt.toISOString().slice(0, 10),
    },
  });
  if (!result.ok) {
    const [problem] = result.problems;
    throw new FileFaultError('IMPOSE_REFUSED', {
      ...problem?.params,
      problem: problem?.code ?? '',
      field: problem?.field ?? '',
    });
  }
  const stem = path.parse(file.name).name;
  const files = result.files.map(({ output, name }): StepFile => {
    const mediaType = mediaTypes[path.extname(name)] ?? 'application/octet-stream';
    return output === 'output'
      ? { kind: 'ProductionFile', path: name, name: `${stem}-${name}`, mediaType }
      : { kind: 'Others', path: name, name: `${stem}-${name}`, mediaType, meta: { role: output } };
  });
  const imposed = files.find(({ kind, mediaType }) => kind === 'ProductionFile' && mediaType === 'application/pdf');
  if (imposed) files.push(...(await drawMade(tools, { workDir, made: imposed.path, pictures: result.pictures })));
  return {
    end: 'outcome',
    outcome: 'done',
    level: result.warnings.length > 0 ? 'Warning' : 'Success',
    files,
    summary: {
      profile: { id: profile.id, name: profile.name, version: profile.version },
      layout: result.layout,
      sheets: result.sheets,
      warnings: result.warnings,
    },
  };
};
