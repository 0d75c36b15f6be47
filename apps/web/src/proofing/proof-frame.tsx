import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PreviewedProfile } from '../client-proof/sample-proof.ts';
import classes from './proof-preview.module.css';

/** Screens that the page is read on, in pixels. */
export const previewScreens = { phone: { width: 390, height: 664 }, desktop: { width: 1280, height: 800 } } as const;

interface FrameProps {
  width: number;
  height: number;
  given: PreviewedProfile | null;
}

/** The page in a frame as wide as the screen it stands for, made as small as the room is. */
export function ProofFrame({ width, height, given }: FrameProps) {
  const { t } = useTranslation();
  const { ref, width: room } = useElementSize();
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    const hear = ({ origin, source, data }: MessageEvent) => {
      if (origin === location.origin && source === frame.current?.contentWindow && data === 'ready') setReady(true);
    };
    addEventListener('message', hear);
    return () => removeEventListener('message', hear);
  }, []);
  useEffect(() => {
    if (isReady && given) frame.current?.contentWindow?.postMessage(given, location.origin);
  }, [isReady, given]);
  const scale = room > 0 ? Math.min(1, room / width) : 1;
  return (
    <div ref={ref} className={classes.stage} style={{ blockSize: height * scale }}>
      <iframe
        ref={frame}
        title={t('proofing.preview')}
        src="/proofing-preview"
        className={classes.frame}
        style={{ inlineSize: width, blockSize: height, transform: `scale(${scale})` }}
      />
    </div>
  );
}
