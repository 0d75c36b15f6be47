import { Button, SegmentedControl, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { proofProfileSchema } from '@pdf2press/contract';
import { IconCloudUpload } from '@tabler/icons-react';
import { type CSSProperties, type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../account/use-me.ts';
import type { PreviewedProfile } from '../client-proof/sample-proof.ts';
import { SectionCard } from '../frame/section-card.tsx';
import { useTheme } from '../preferences/use-theme.ts';
import { ProofFrame, previewScreens } from '../proofing/proof-frame.tsx';
import { isHex } from '../theme/colours.ts';
import { themeVariables } from '../theme/theme.ts';
import classes from './organizations.module.css';
import type { OrganizationFields } from './use-organization-form.ts';

const views = ['page', 'proof', 'mail'] as const;
type View = (typeof views)[number];

/** Pause after the last letter before the proof is drawn anew, milliseconds. */
const pauseMilliseconds = 300;
const usualPolicy = 'ConfirmIfWarnOrError';

/** How the upload page, proofs and messages look with what the form holds. Nothing in it can be used. */
export function OrganizationPreview({ form }: { form: OrganizationFields }) {
  const { t } = useTranslation();
  const [view, setView] = useState<View>('page');
  const [name, color, pageLogo, emailLogo] = form.watch(['name', 'color', 'pageLogo', 'emailLogo']);
  const house = { name: name || t('organizations.unnamed'), color: color ?? '' };
  return (
    <SectionCard title={t('organizations.preview')}>
      <SegmentedControl
        fullWidth
        mb="md"
        aria-label={t('organizations.preview')}
        value={view}
        onChange={(value) => setView(value as View)}
        data={views.map((value) => ({ value, label: t(`organizations.view.${value}`) }))}
      />
      {view === 'page' && <PagePicture {...house} logo={pageLogo ?? null} />}
      {view === 'proof' && <ProofPicture {...house} logo={pageLogo ?? null} />}
      {view === 'mail' && <MailPicture {...house} logo={emailLogo ?? pageLogo ?? null} />}
    </SectionCard>
  );
}

interface Look {
  name: string;
  color: string;
  logo: string | null;
}

/** Draws with the organization's colour, in one of the two themes. */
function Picture({ color, theme, children }: { color: string; theme: 'light' | 'dark'; children: ReactNode }) {
  const { t } = useTranslation();
  const style = (isHex(color) ? themeVariables(theme, color) : {}) as CSSProperties;
  return (
    <div role="img" aria-label={t('organizations.preview')} className={classes.picture} style={style} inert>
      {children}
    </div>
  );
}

const Logo = ({ logo, name }: Pick<Look, 'logo' | 'name'>) =>
  logo === null ? <strong className={classes.house}>{name}</strong> : <img src={`/api/logos/${logo}`} alt={name} />;

function PagePicture({ name, color, logo }: Look) {
  const { t } = useTranslation();
  const theme = useTheme();
  return (
    <Picture color={color} theme={theme}>
      <div className={classes.pageHead}>
        <Logo logo={logo} name={name} />
        {logo !== null && <strong>{name}</strong>}
      </div>
      <div className={classes.pageCard}>
        <div className={classes.drop}>
          <IconCloudUpload size={28} stroke={1.5} aria-hidden />
          <Text size="sm">{t('upload.drop')}</Text>
          <Button component="span" variant="light" size="xs">
            {t('upload.choose')}
          </Button>
        </div>
        <Button component="span" fullWidth>
          {t('upload.handIn')}
        </Button>
      </div>
    </Picture>
  );
}

/** The real page of a proof on a phone, with a sample file, as a proofing profile without changes makes it. */
function ProofPicture({ name, color, logo }: Look) {
  const title = useMe()?.subscriberName ?? '';
  const [shown] = useDebouncedValue(name, pauseMilliseconds);
  const given = useMemo<PreviewedProfile>(() => {
    const organization = { name: shown, color: isHex(color) ? color : null, logo };
    return {
      settings: proofProfileSchema.parse({}),
      policy: usualPolicy,
      house: { title, organization },
      screen: 'proof',
    };
  }, [shown, color, logo, title]);
  return <ProofFrame {...previewScreens.phone} given={given} />;
}

/** Messages are read on white whatever the theme is. */
function MailPicture({ name, color, logo }: Look) {
  const { t } = useTranslation();
  return (
    <Picture color={color} theme="light">
      <div className={classes.mail}>
        <Logo logo={logo} name={name} />
        <p>{t('organizations.mailGreeting')}</p>
        <p>{t('organizations.mailText')}</p>
        <span className={classes.mailButton}>{t('organizations.mailButton')}</span>
      </div>
    </Picture>
  );
}
