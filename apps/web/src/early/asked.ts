import type { StagePlace } from '../sessions/stage-place.ts';

/** What `early.js` asks its worker for. */
export interface Asked {
  /** Of calls that need the token, below the origin. */
  addresses: readonly string[];
  /** Of calls that are made once the first page is there: they would take the server's time from it. */
  late: readonly string[];
  /** The session of the address, whose first page is wanted; null elsewhere. */
  session: string | null;
  /** Where stages lay in this browser, as `sessions/stage-place.ts` keeps it: a worker cannot read it. */
  stages: string | null;
  windowSize: string;
  pixelRatio: number;
}

/** A call that was answered: enough for a `Response` of the page's own. */
export interface Answer {
  kind: 'answer';
  address: string;
  status: number;
  headers: readonly [string, string][];
  body: ArrayBuffer;
}

/** The first page of a session, in CSS pixels of the window and of the stage; its pictures in percent of the paper. */
export interface FirstPage {
  kind: 'firstPage';
  stage: Rectangle;
  paper: Rectangle;
  pictures: readonly { at: Rectangle; blob: Blob }[];
}

/** Left, top, width, height. */
export type Rectangle = readonly [number, number, number, number];

/** `failed`: without an answer; the app makes the call itself. `noFirstPage`: the app is what shows it. */
export type Told = Answer | FirstPage | { kind: 'failed'; address: string } | { kind: 'noFirstPage' };

export const rectangleOf = ({ x, y, width, height }: StagePlace): Rectangle => [x, y, width, height];
