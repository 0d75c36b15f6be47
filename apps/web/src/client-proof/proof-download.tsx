import { ActionIcon } from '@mantine/core';
import type { ShownProof } from '@pdf2press/contract';
import { clientProofRoutes } from '@pdf2press/contract/calls';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { pathOf } from '../client/address.ts';
import { Hint } from '../frame/hint.tsx';
import { type ProofLink, usePictureCopy } from './use-client-proof.ts';

/** What the reader may load: the file to be printed, or a copy of low resolution, which is made when it is asked for. */
export function ProofDownload({ link, proof }: { link: ProofLink; proof: ShownProof }) {
  const { t } = useTranslation();
  const copy = usePictureCopy(link);
  const { download } = proof.shows;
  if (download === 'none') return null;
  const shared = { variant: 'subtle', color: 'neutral', size: 'lg' } as const;
  const icon = <IconDownload size={20} aria-hidden />;
  if (download === 'production')
    return (
      <Hint label={t('common.download')}>
        <ActionIcon
          {...shared}
          component="a"
          href={pathOf(clientProofRoutes.file, link)}
          download={proof.fileName}
          aria-label={t('common.download')}
        >
          {icon}
        </ActionIcon>
      </Hint>
    );
  return (
    <Hint label={t('clientProof.pictureCopy')}>
      <ActionIcon
        {...shared}
        loading={copy.isPending}
        onClick={() => copy.mutate()}
        aria-label={t('clientProof.pictureCopy')}
      >
        {icon}
      </ActionIcon>
    </Hint>
  );
}
