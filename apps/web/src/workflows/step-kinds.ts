import {
  addRefusal,
  connectRefusal,
  type FeatureKey,
  namedPortsOf,
  nearestLocale,
  outcomesOf,
  type ProfileKind,
  type StepKind,
  stepKinds,
  type WorkflowDefinition,
  type WorkflowStep,
} from '@pdf2press/contract';
import type { StepGroup } from '@pdf2press/steps/contracts';
import { drawnKinds as kinds, stepGroups, stepMessages } from './drawn-kinds.ts';

/*
 * All that the builder knows of kinds of step, read from their contracts: nothing about a kind is written here a second
 * time. The workflow rules are the contract's, asked with the same kinds as the API asks them with.
 */

/** A step as far as its ports are concerned. */
export type Ported = Pick<WorkflowStep, 'kind' | 'settings'>;

export interface Connection {
  from: string;
  outcome: string;
  to: string;
}

/** The outcomes that a step can end by, in the order they are drawn. */
export const portsOf = (step: Ported): readonly string[] => outcomesOf(kinds, step);

/** Whether edges can lead to steps of a kind. */
export const isEntered = (kind: StepKind): boolean => !kinds[kind].isEntry;

export const whyNotAdd = (definition: Pick<WorkflowDefinition, 'steps'>, kind: StepKind): string | null =>
  addRefusal(kinds, definition, kind);

export const whyNotConnect = (
  definition: Pick<WorkflowDefinition, 'steps' | 'edges'>,
  connection: Connection,
): string | null => connectRefusal(kinds, definition, connection);

/** Kinds that can be added, those that run, in the order of work that the contract lists them in. */
export const buildableKinds: readonly StepKind[] = stepKinds.filter((kind) => kinds[kind].isRunnable !== false);

/** The kind of the profile that a step of this kind names in `settings.profileId`. */
export const profileOf = (kind: StepKind): { kind: ProfileKind; isRequired: boolean } | undefined =>
  kinds[kind].profile;

/** What a step of a trial may go on by where the kind would wait or act; the first unless somebody chooses. */
export const answersInTrials = (kind: StepKind): readonly string[] => kinds[kind].inTrials?.answers ?? [];

export const featureOf = (kind: StepKind): FeatureKey | undefined => kinds[kind].feature;

/** Settings whose values the summary of a kind's steps holds. */
export const toldBy = (kind: StepKind): readonly string[] => kinds[kind].tells ?? [];

/** Path data of a kind's icon, on a grid of 24 × 24. */
export const iconOf = (kind: StepKind): string => kinds[kind].icon;

/** The group of the palette that a kind stands in. */
export const groupOf = (kind: StepKind): StepGroup => kinds[kind].group;

/** The groups that have something to add, in the order of the palette. */
export const shownGroups: readonly StepGroup[] = stepGroups.filter((group) =>
  buildableKinds.some((kind) => groupOf(kind) === group),
);

export const groupLabel = (group: StepGroup, language: string): string =>
  stepMessages[nearestLocale(language)][`groups.${group}`] ?? group;

/** A word of a kind in the reader's language: `label`, `help`, `settings.<name>`, `outcomes.<name>`. */
export const kindWord = (kind: StepKind, key: string, language: string): string | undefined =>
  kinds[kind].messages[nearestLocale(language)][key];

export const kindLabel = (kind: StepKind, language: string): string => kindWord(kind, 'label', language) ?? kind;

/** What a person called a port that the settings of a step make, and which of them it is; null for a fixed port. */
export function namedPort(step: Ported, outcome: string): { name: string; number: number } | null {
  const ports = namedPortsOf(kinds, step);
  const at = ports.findIndex(({ id }) => id === outcome);
  return at < 0 ? null : { name: ports[at]?.name ?? '', number: at + 1 };
}
