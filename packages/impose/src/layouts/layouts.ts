import type { ImposeLayout } from '@pdf2press/contract';
import { acrossDown } from './across-down/plan.ts';
import { cutAndStack } from './cut-and-stack/plan.ts';
import { dieCut } from './die-cut/plan.ts';
import { downAcross } from './down-across/plan.ts';
import { gangRun } from './gang-run/plan.ts';
import { leaflet } from './leaflet/plan.ts';
import { perfectBound } from './perfect-bound/plan.ts';
import { saddleStitch } from './saddle-stitch/plan.ts';
import { stepNRepeat } from './step-n-repeat/plan.ts';

/** Every kind of layout by the name that a profile and a plan give it. */
export const layouts = {
  StepNRepeat: stepNRepeat,
  CutAndStack: cutAndStack,
  SaddleStitch: saddleStitch,
  DieCut: dieCut,
  AcrossDown: acrossDown,
  DownAcross: downAcross,
  Leaflet: leaflet,
  PerfectBound: perfectBound,
  GangRun: gangRun,
} satisfies Record<ImposeLayout, { type: ImposeLayout }>;
