import {
  contractMessages,
  type Locale,
  type ProfileKind,
  proofProfileSchema,
  type StarterKey,
  type StepKind,
  sentence,
  type WorkflowDefinition,
  workflowDefinitionSchema,
} from '@pdf2press/contract';
import { fixPresetOf, fixPresetWords } from '@pdf2press/fix/contracts';
import { givenImposeProfileSchema, type ImposeProfileInput } from '@pdf2press/impose/contracts';
import { presetName, presetOf } from '@pdf2press/preflight/contracts';

/** A profile of a template, created with the workflow. */
export interface StarterProfile {
  kind: ProfileKind;
  name: string;
  preset?: string;
  settings: object;
}

/** A step of a template; `profile` is created with the workflow. */
interface StarterStep {
  kind: StepKind;
  settings?: Record<string, unknown>;
  profile?: (key: StarterKey, locale: Locale, askedId: string | null) => StarterProfile;
}

const preflight =
  (preset: string): NonNullable<StarterStep['profile']> =>
  (_, locale) => {
    const found = presetOf(preset);
    if (!found) throw new Error(`no preflight preset ${preset}`);
    const name = presetName(found, locale);
    return { kind: 'preflight', name, preset, settings: { ...found.profile, name } };
  };

const fix =
  (preset: string): NonNullable<StarterStep['profile']> =>
  (_, locale) => {
    const found = fixPresetOf(preset);
    if (!found) throw new Error(`no fix preset ${preset}`);
    return { kind: 'fix', name: fixPresetWords(preset, locale).name, preset, settings: found.profile };
  };

const impose =
  (profile: ImposeProfileInput): NonNullable<StarterStep['profile']> =>
  (key, locale) => ({
    kind: 'impose',
    name: sentence(contractMessages, locale, `starter.${key}`),
    settings: givenImposeProfileSchema.parse(profile),
  });

/** Whoever makes it is asked until customers’ addresses are there. */
const proof: NonNullable<StarterStep['profile']> = (key, locale, askedId) => ({
  kind: 'proofing',
  name: sentence(contractMessages, locale, `starter.${key}`),
  settings: proofProfileSchema.parse({ approvers: askedId === null ? [] : [{ kind: 'assignee', id: askedId }] }),
});

const holdFaulty: StarterStep = { kind: 'Hold', settings: { when: 'Errors' } };

/** The steps between injection and completion, in order. What a fix changed is checked again; a file with errors is held. */
const starters: Readonly<Record<StarterKey, readonly StarterStep[]>> = {
  empty: [],
  check: [
    { kind: 'Preflight', profile: preflight('standard') },
    { kind: 'Hold', settings: { when: 'WarningsAndErrors' } },
  ],
  'check-fix-check': [
    { kind: 'Preflight', profile: preflight('standard') },
    { kind: 'Fix', profile: fix('press-ready') },
    { kind: 'Preflight', profile: preflight('standard') },
    holdFaulty,
  ],
  'business-cards-sra3': [
    { kind: 'Preflight', profile: preflight('business-card-flyer') },
    { kind: 'Fix', profile: fix('bleed-3mm') },
    { kind: 'Preflight', profile: preflight('business-card-flyer') },
    holdFaulty,
    { kind: 'Impose', profile: impose({ type: 'StepNRepeat', sheet: 'SRA3' }) },
  ],
  booklet: [
    { kind: 'Preflight', profile: preflight('saddle-stitched-booklet') },
    holdFaulty,
    { kind: 'Impose', profile: impose({ type: 'SaddleStitch', sheet: 'SRA3' }) },
  ],
  'check-impose': [
    { kind: 'Preflight', profile: preflight('standard') },
    holdFaulty,
    { kind: 'Impose', profile: impose({ type: 'StepNRepeat', sheet: 'SRA3' }) },
  ],
  'check-proof-impose': [
    { kind: 'Preflight', profile: preflight('standard') },
    holdFaulty,
    { kind: 'Proof', profile: proof },
    { kind: 'Impose', profile: impose({ type: 'StepNRepeat', sheet: 'SRA3' }) },
  ],
  'large-format': [
    { kind: 'Preflight', profile: preflight('large-format') },
    { kind: 'Fix', profile: fix('cmyk-coated') },
    { kind: 'Preflight', profile: preflight('large-format') },
    holdFaulty,
  ],
};

/** The profiles of a template, each once. `askedId` is the person who is asked for approvals. */
export function profilesOf(key: StarterKey, locale: Locale, askedId: string | null): StarterProfile[] {
  const made = starters[key].flatMap(({ profile }) => (profile ? [profile(key, locale, askedId)] : []));
  return made.filter(
    ({ kind, name }, at) => made.findIndex((other) => other.kind === kind && other.name === name) === at,
  );
}

/** The exit by which a file goes on, of kinds that have another than `done`. */
const goesOn: Partial<Record<StepKind, string>> = { Hold: 'continue', Proof: 'Approved' };

/**
 * The graph of a template: steps from left to right, valid for publishing; below a proof the end of what is declined.
 * `profileIds` are by kind and name.
 */
export function definitionOf(
  key: StarterKey,
  { locale, askedId }: { locale: Locale; askedId: string | null },
  profileIdOf: (profile: StarterProfile) => string | undefined,
): WorkflowDefinition {
  const line: readonly StarterStep[] = [{ kind: 'Inject' }, ...starters[key], { kind: 'Complete' }];
  const steps = line.map(({ kind, settings = {}, profile }, at) => {
    const profileId = profile && profileIdOf(profile(key, locale, askedId));
    return {
      id: `step-${at + 1}`,
      kind,
      name: '',
      settings: { ...settings, ...(profileId && { profileId }) },
      position: { x: at * 240, y: 0 },
    };
  });
  const edges = steps.slice(1).map(({ id: to }, at) => {
    const from = steps[at]?.id ?? '';
    const outcome = (line[at] && goesOn[line[at].kind]) ?? 'done';
    return { id: `${from}-${outcome}-${to}`, from, outcome, to };
  });
  const proofs = steps.filter(({ kind }) => kind === 'Proof');
  const declined = proofs.map(({ id, position: { x, y } }) => ({
    id: `${id}-declined`,
    kind: 'Cancel',
    position: { x: x + 240, y: y + 160 },
  }));
  const refusals = proofs.map(({ id }) => ({
    id: `${id}-Declined`,
    from: id,
    outcome: 'Declined',
    to: `${id}-declined`,
  }));
  return workflowDefinitionSchema.parse({ steps: [...steps, ...declined], edges: [...edges, ...refusals] });
}
