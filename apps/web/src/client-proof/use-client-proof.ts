import { useDocumentVisibility } from '@mantine/hooks';
import type {
  Call,
  ClientFinding,
  ClientFix,
  ProofDecision,
  RouteResult,
  SessionPage,
  ShownProof,
} from '@pdf2press/contract';
import { clientProofRoutes as routes } from '@pdf2press/contract/calls';
import { useMutation } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pathOf } from '../client/address.ts';
import { type CallInput, call, sendForm } from '../client/call.ts';
import { CallError } from '../client/call-error.ts';
import { downloadMade } from '../client/made-file.ts';
import { invalidate, queries, useCall } from '../client/queries.ts';
import { useRequestKey } from '../client/request-key.ts';
import { notify } from '../frame/toasts.tsx';
import { isComing, type PageSource } from '../viewer/page-source.ts';
import { keyIn } from './ask-early.ts';

/** Both parts of a recipient's address. The second is a secret: it is kept in memory and in the address only. */
export type ProofLink = Readonly<{ sessionId: string; proofStepId: string }>;

/** The file as it came, the one to be printed, or that of the version before. */
export type ClientVersion = 'original' | 'production' | 'previous' | 'pages';

/**
 * The version that findings and corrections are about: they are in the coordinates of the file that was checked. Null where its
 * pages are not shown.
 */
export function checkedVersion({ sheets, shows }: ShownProof): 'production' | 'pages' | null {
  if (!sheets?.areFindingsOnPages) return 'production';
  return shows.pages ? 'pages' : null;
}

/** Interval at which an open proof is read again: others may decide, and time limits pass. Milliseconds. */
const readAgainMilliseconds = 20_000;
const notReadyMilliseconds = 1500;

function useInLanguage() {
  const { i18n } = useTranslation();
  return (route: Call, input: object) => keyIn(i18n.language, route, input);
}

/** What is shown in place of the server's answers where nothing may be asked or sent: the preview of a profile. */
export interface ProofSample {
  proof: ShownProof;
  findings: readonly ClientFinding[];
  fixes: readonly ClientFix[];
  pages: SessionPage[];
  sourceOf: (version: ClientVersion) => PageSource;
}
export const ProofSampleContext = createContext<ProofSample | null>(null);
export const useProofSample = (): ProofSample | null => useContext(ProofSampleContext);

/** What the link leads to. */
export function useClientProof(link: ProofLink) {
  const keyFor = useInLanguage();
  const input = { params: link };
  return useCall(routes.get, input, {
    queryKey: keyFor(routes.get, input),
    refetchInterval: ({ state: { data } }) =>
      // One that was declined may be opened again, or come back as another version.
      data?.state === 'open' || data?.state === 'answered' || (data?.state === 'decided' && data.form)
        ? readAgainMilliseconds
        : false,
  });
}

/** Has a code mailed to the recipient of the link, and enters it: from then on the proof is shown in this browser. */
export function useLinkCode(link: ProofLink) {
  const keyFor = useInLanguage();
  const sample = useProofSample();
  const send = useMutation({
    mutationFn: async () => (sample ? {} : call(routes.sendCode, { params: link })),
  });
  const enter = useMutation({
    mutationFn: async (code: string) =>
      sample ? sample.proof : call(routes.enterCode, { params: link, body: { code } }),
    onSuccess: (proof) => {
      if (sample) return;
      queries.setQueryData(keyFor(routes.get, { params: link }), proof);
      void invalidate(routes.pages);
    },
  });
  return { send, enter };
}

/** The same list as long as there is none, so that what is made of it is not made anew. */
const none: readonly ClientFinding[] = [];

export function useClientFindings(link: ProofLink, isAsked: boolean) {
  const keyFor = useInLanguage();
  const sample = useProofSample();
  const input = { params: link };
  const options = { queryKey: keyFor(routes.findings, input), enabled: isAsked && !sample };
  const { data = none } = useCall(routes.findings, input, options);
  return sample && isAsked ? sample.findings : data;
}

export function useClientFixes(link: ProofLink, isAsked: boolean) {
  const keyFor = useInLanguage();
  const sample = useProofSample();
  const input = { params: link };
  const options = { queryKey: keyFor(routes.fixes, input), enabled: isAsked && !sample };
  const { data = [] } = useCall(routes.fixes, input, options);
  return sample && isAsked ? sample.fixes : data;
}

/** The server has not looked at the file yet. */
const isNotReady = (error: unknown): boolean => error instanceof CallError && error.status === 202;

/** The pages of a version with their rasters; asked for again until those that are shown are drawn. None of one that is null. */
export function useClientPages(link: ProofLink, asked: ClientVersion | null, shown: readonly number[]) {
  const sample = useProofSample();
  const version = asked ?? 'production';
  const { data: answered, error } = useCall(
    routes.pages,
    { params: link, query: { version } },
    {
      enabled: !sample && asked !== null,
      retry: false,
      refetchInterval: ({ state }) => {
        if (isNotReady(state.error)) return notReadyMilliseconds;
        const isUndrawn = shown.some((page) => isComing(state.data?.pages[page - 1]));
        return isUndrawn ? notReadyMilliseconds * 2 : false;
      },
    },
  );
  // What is not asked for has the key of something else.
  const data = asked === null ? undefined : answered;
  const { sessionId, proofStepId } = link;
  const v = data?.sha256 ?? '';
  const source = useMemo(
    (): PageSource => ({
      tile: (at) => pathOf(routes.tile, { sessionId, proofStepId, version, ...at }, { v }),
      thumbnail: (page) => pathOf(routes.thumbnail, { sessionId, proofStepId, page }, { version, v }),
    }),
    [sessionId, proofStepId, version, v],
  );
  if (sample)
    return {
      pages: sample.pages,
      binding: 'Left' as const,
      source: sample.sourceOf(version),
      error: null,
      isWaiting: false,
      isUnready: false,
    };
  const isUnready = !data && isNotReady(error);
  return {
    pages: data?.pages ?? [],
    binding: data?.binding ?? ('Left' as const),
    source,
    error,
    isWaiting: isUnready || (!data && !error),
    isUnready,
  };
}

/** A page that was on the screen for so long was looked at, milliseconds. */
const lookMilliseconds = 1000;

/** Tells the house which pages were looked at. Answers how many. */
export function useLooks(link: ProofLink, shown: readonly number[]): number {
  const [seen, setSeen] = useState<ReadonlySet<number>>(new Set());
  const isSample = useProofSample() !== null;
  const isTold = useRef(false);
  const isVisible = useDocumentVisibility() === 'visible';
  const news = shown.filter((page) => !seen.has(page)).join();
  useEffect(() => {
    if (news === '' || !isVisible) return;
    const pages = news.split(',').map(Number);
    const timer = setTimeout(() => {
      setSeen((before) => new Set([...before, ...pages]));
      if (isSample) return;
      const body = { isNew: !isTold.current, pages };
      isTold.current = true;
      // Nothing depends on it for the reader: a lost call is not reported.
      call(routes.look, { params: link, body }).catch(() => undefined);
    }, lookMilliseconds);
    return () => clearTimeout(timer);
  }, [news, isVisible, link, isSample]);
  return seen.size;
}

type Given = Omit<CallInput<typeof routes.decide>['body'], 'key' | 'timeZone' | 'decision'> & {
  decision: ProofDecision;
};

/** Answers of the server after which the reader has to look again at what is there now. */
const isOutdated = (error: unknown): boolean =>
  error instanceof CallError && [404, 409, 410].includes(error.status) && !error.has('proof.findingsChanged');

/**
 * Decides. Nothing is shown before the server has answered. The same decision given again, after an answer was lost or by
 * a second click, has the same key, so that it is made once.
 */
export function useDecision(link: ProofLink, { onDone, onOutdated }: { onDone: () => void; onOutdated: Outdated }) {
  const keyFor = useInLanguage();
  const { keyOf: requestKeyOf } = useRequestKey();
  const sample = useProofSample();
  return useMutation({
    mutationFn: async (given: Given): Promise<RouteResult<typeof routes.decide>> => {
      if (sample) return sample.proof;
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      return call(routes.decide, { params: link, body: { ...given, key: requestKeyOf(given), timeZone } });
    },
    onSuccess: (proof) => {
      queries.setQueryData(keyFor(routes.get, { params: link }), proof);
      onDone();
    },
    onError: (error) => {
      if (isOutdated(error)) onOutdated(error);
      void readAgain();
    },
  });
}
type Outdated = (error: unknown) => void;

/** Sends a corrected file. */
export function useReplacement(link: ProofLink, { onDone, onOutdated }: { onDone: () => void; onOutdated: Outdated }) {
  const sample = useProofSample();
  return useMutation({
    mutationFn: async (file: File) => {
      if (sample) return;
      const form = new FormData();
      form.append('file', file, file.name);
      await sendForm(routes.replaceFile, form, link);
    },
    onSuccess: () => {
      onDone();
      void readAgain();
    },
    onError: (error) => {
      if (isOutdated(error)) onOutdated(error);
      void readAgain();
    },
  });
}

const readAgain = () => invalidate(routes.get, routes.findings, routes.fixes, routes.pages);

/** The signed certificate of the decisions, for whoever wants to keep it. */
export const useCertificate = (link: ProofLink) =>
  useMutation({
    mutationFn: () => downloadMade(() => call(routes.certificate, { params: link })),
  });

/** The copy of low resolution that the profile offers; it is made for the first who asks. */
export function usePictureCopy(link: ProofLink) {
  const isSample = useProofSample() !== null;
  return useMutation({
    mutationFn: async () => {
      if (!isSample) await downloadMade(() => call(routes.pictureCopy, { params: link }));
    },
    onError: notify.failure,
  });
}
