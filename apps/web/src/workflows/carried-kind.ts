import { type StepKind, stepKinds } from '@pdf2press/contract';
import type { DragEvent } from 'react';

/** What a step from the palette is carried as. */
const mediaType = 'application/x-pdf2press-step-kind';

/** A kind begins to be dragged from the palette. */
export function carryKind(event: DragEvent, kind: StepKind): void {
  event.dataTransfer.setData(mediaType, kind);
  event.dataTransfer.effectAllowed = 'copy';
}

export const isKindCarried = (event: DragEvent): boolean => event.dataTransfer.types.includes(mediaType);

/** The kind that was let go. */
export const carriedKind = (event: DragEvent): StepKind | undefined =>
  stepKinds.find((kind) => kind === event.dataTransfer.getData(mediaType));
