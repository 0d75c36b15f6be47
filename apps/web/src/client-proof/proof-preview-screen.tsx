import { type Locale, proofProfileSchema } from '@pdf2press/contract';
import { type MouseEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SamplePage } from '../demo/sample-page.tsx';
import { useTitle } from '../frame/use-title.ts';
import { ProofPage } from './proof-page.tsx';
import { type PreviewedProfile, sampleClientFindings, sampleClientProof, samplePages } from './sample-proof.ts';
import { type ClientVersion, type ProofSample, ProofSampleContext } from './use-client-proof.ts';
import { useReaderLanguage } from './use-reader-language.ts';

const link = { sessionId: 'preview', proofStepId: 'preview' };
const fresh: PreviewedProfile = {
  settings: proofProfileSchema.parse({}),
  policy: 'ConfirmIfWarnOrError',
  house: 'pdf2press',
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

/** The sample page as pictures: as it came and as it is printed. Null until they are drawn. */
function usePictures() {
  const room = useRef<HTMLDivElement>(null);
  const [pictures, setPictures] = useState<readonly string[] | null>(null);
  useEffect(() => {
    const drawn = [...(room.current?.querySelectorAll('svg') ?? [])];
    setPictures(
      drawn.map((svg) => `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`),
    );
  }, []);
  const drawing = (
    <div ref={room} hidden>
      <SamplePage isFixed={false} chosen={null} hasTrim={false} />
      <SamplePage isFixed chosen={null} hasTrim={false} />
    </div>
  );
  return { pictures, drawing };
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
  const { pictures, drawing } = usePictures();
  useReaderLanguage(given.settings.locale);
  useTitle(t('title.client-proofing'));
  const locale = i18n.language as Locale;
  const [now] = useState(Date.now);
  const sample = useMemo((): ProofSample | null => {
    if (!pictures) return null;
    const pictureOf = (version: ClientVersion) => pictures[version === 'original' ? 0 : 1] ?? '';
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
      sourceOf: (version) => ({ tile: () => pictureOf(version), thumbnail: () => pictureOf(version) }),
    };
  }, [given, pictures, t, locale, now]);
  return (
    <div onClickCapture={stay} style={{ display: 'contents' }}>
      {drawing}
      {sample && (
        <ProofSampleContext value={sample}>
          <ProofPage link={link} proof={sample.proof} isOffline={false} isSent={false} onSent={() => undefined} />
        </ProofSampleContext>
      )}
    </div>
  );
}
