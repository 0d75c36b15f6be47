import { type Locale, proofProfileSchema, type ShownProof } from '@pdf2press/contract';
import { type MouseEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pictureQuery } from '../client/blob-image.tsx';
import { queries } from '../client/queries.ts';
import { SamplePage } from '../demo/sample-page.tsx';
import { notify } from '../frame/toasts.tsx';
import { useTitle } from '../frame/use-title.ts';
import type { PageSource } from '../viewer/page-source.ts';
import classes from './client-proof.module.css';
import { GuardedProof } from './guarded-proof.tsx';
import { HouseHead } from './house-head.tsx';
import { ProofPage } from './proof-page.tsx';
import { SampleCopy } from './sample-copy.tsx';
import {
  type PreviewedProfile,
  type PreviewedScreen,
  sampleClientFindings,
  sampleClientProof,
  samplePages,
  samplePixels,
  sampleWatermark,
} from './sample-proof.ts';
import { type ClientVersion, type ProofSample, ProofSampleContext } from './use-client-proof.ts';
import { useReaderLanguage } from './use-reader-language.ts';
import { UsedProof } from './used-proof.tsx';

const link = { sessionId: 'preview', proofStepId: 'preview' };
const fresh: PreviewedProfile = {
  settings: proofProfileSchema.parse({}),
  policy: 'ConfirmIfWarnOrError',
  house: { title: 'pdf2press', organization: null },
  screen: 'proof',
};

/** What the form around this frame tells of its profile, as it stands; what cannot be read yet changes nothing. */
function useGiven(): PreviewedProfile {
  const [given, setGiven] = useState(fresh);
  useEffect(() => {
    const take = ({ origin, source, data }: MessageEvent) => {
      if (origin !== location.origin || source !== parent) return;
      const read = proofProfileSchema.safeParse(data.settings);
      if (read.success) setGiven({ ...(data as PreviewedProfile), settings: read.data });
    };
    addEventListener('message', take);
    if (parent !== window) parent.postMessage('ready', location.origin);
    return () => removeEventListener('message', take);
  }, []);
  return given;
}

/** The raster of a drawing, as large as the tile that it stands for. */
async function rasterOf(svg: SVGElement): Promise<Blob> {
  const picture = new Image();
  picture.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
  await picture.decode();
  const canvas = new OffscreenCanvas(samplePixels.width, samplePixels.height);
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob();
}

/** The sample page as it came and as it is printed, in this order. */
const addresses = ['sample/original', 'sample/production'] as const;
const addressOf = (version: ClientVersion) => addresses[version === 'original' ? 0 : 1];

const sourceOf = (version: ClientVersion): PageSource => {
  const picture = () => addressOf(version);
  return { tile: picture, thumbnail: picture };
};
const sources = {
  original: sourceOf('original'),
  production: sourceOf('production'),
  pages: sourceOf('production'),
  previous: sourceOf('previous'),
} as const;

/** Draws the sample page and keeps its pictures where the viewer looks for those of the server. */
function useSamplePictures() {
  const room = useRef<HTMLDivElement>(null);
  const [areDrawn, setDrawn] = useState(false);
  useEffect(() => {
    const drawn = [...(room.current?.querySelectorAll('svg') ?? [])];
    const keep = async () => {
      for (const [at, address] of addresses.entries()) {
        const { queryKey } = pictureQuery(address);
        queries.setQueryDefaults(queryKey, { gcTime: Number.POSITIVE_INFINITY });
        const svg = drawn[at];
        if (svg) queries.setQueryData(queryKey, await rasterOf(svg));
      }
      setDrawn(true);
    };
    keep().catch(notify.failure);
  }, []);
  const drawing = (
    <div ref={room} hidden>
      <SamplePage isFixed={false} chosen={null} hasTrim={false} />
      <SamplePage isFixed chosen={null} hasTrim={false} />
    </div>
  );
  return { areDrawn, drawing };
}

/** The screen that was asked for. */
function Shown({ screen, proof, watermark }: { screen: PreviewedScreen; proof: ShownProof; watermark: string }) {
  const { house, fileName, reader, openedAt, form } = proof;
  if (screen === 'guarded')
    return <GuardedProof link={link} proof={{ state: 'guarded', house, email: 'a…@example.com' }} />;
  if (screen === 'copy')
    return (
      <div className={classes.proof}>
        <HouseHead house={house}>
          <h1 className={classes.file}>{fileName}</h1>
        </HouseHead>
        <SampleCopy words={watermark} />
      </div>
    );
  if (screen === 'proof')
    return <ProofPage link={link} proof={proof} isOffline={false} isSent={false} onSent={() => undefined} />;
  const label = form?.labels.Approved ?? null;
  const decided = {
    decision: 'Approved',
    label,
    by: reader.name,
    at: openedAt,
    declinedPages: [] as number[],
  } as const;
  return <UsedProof proof={{ state: 'used', house, fileName, decided }} />;
}

/** Nothing here leads anywhere: there is no file to load. */
const stay = (event: MouseEvent) => {
  if ((event.target as Element).closest('a[href]')) event.preventDefault();
};

/**
 * The page that the readers of a proof profile will see, with a sample file: shown in a frame beside the profile's form.
 * Nothing is asked of the server and nothing is sent.
 */
export function ProofPreviewScreen() {
  const { t, i18n } = useTranslation();
  const given = useGiven();
  const { areDrawn, drawing } = useSamplePictures();
  useReaderLanguage(given.settings.locale);
  const locale = i18n.language as Locale;
  const [now] = useState(Date.now);
  const sample = useMemo((): ProofSample | null => {
    if (!areDrawn) return null;
    return {
      proof: sampleClientProof(given, { t, locale, now }),
      findings: sampleClientFindings(given, t),
      fixes: given.settings.show.fixes
        ? [
            {
              label: t('demo.fixed'),
              changes: [{ page: 1, sentence: t('demo.finding.bleed.fixed'), count: 1, box: null }],
            },
          ]
        : [],
      pages: samplePages,
      sourceOf: (version) => sources[version],
    };
  }, [given, areDrawn, t, locale, now]);
  useTitle(sample?.proof.fileName ?? '', given.house.title);
  return (
    <div onClickCapture={stay} style={{ display: 'contents' }}>
      {drawing}
      {sample && (
        <ProofSampleContext value={sample}>
          <Shown
            screen={given.screen}
            proof={sample.proof}
            watermark={sampleWatermark(given.settings, sample.proof, locale)}
          />
        </ProofSampleContext>
      )}
    </div>
  );
}
