import '@mantine/spotlight/styles.layer.css';
import { useDebouncedValue } from '@mantine/hooks';
import {
  createSpotlight,
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
} from '@mantine/spotlight';
import { sessionRoutes, workflowRoutes } from '@pdf2press/contract/calls';
import {
  IconFileTypePdf,
  IconKeyboard,
  IconMoon,
  IconPalette,
  IconSearch,
  IconSitemap,
  IconUpload,
} from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useMay } from '../account/use-me.ts';
import { useCall } from '../client/queries.ts';
import { setPreferences } from '../preferences/preferences.ts';
import { useTheme } from '../preferences/use-theme.ts';
import { openInjection } from '../uploads/injection.ts';
import { useNavigation } from './navigation.tsx';
import { openDialog } from './open-dialog.ts';

const [store, spotlight] = createSpotlight();

/** Search by name over pages, actions, and the sessions and workflows that match the typed text. */
export function CommandPalette({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const groups = useGroups(text, isOpen);
  useEffect(() => (isOpen ? spotlight.open() : spotlight.close()), [isOpen]);
  return (
    <Spotlight
      store={store}
      actions={groups}
      query={text}
      onQueryChange={setText}
      onSpotlightClose={onClose}
      nothingFound={t('palette.nothing')}
      limit={24}
      shortcut={null}
      scrollable
      maxHeight={440}
      scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
      highlightQuery
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: t('palette.placeholder'),
        'aria-label': t('palette.placeholder'),
      }}
    />
  );
}

function useGroups(text: string, isOpen: boolean): SpotlightActionGroupData[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const theme = useTheme();
  const may = useMay();
  const navigation = useNavigation();
  const [search] = useDebouncedValue(text.trim(), 200);
  const sessions = useCall(
    sessionRoutes.list,
    { query: { pageSize: 6, ...(search ? { search } : {}) } },
    { enabled: isOpen && may('sessions.view') },
  );
  const workflows = useCall(
    workflowRoutes.list,
    { query: { pageSize: 6, ...(search ? { search } : {}) } },
    { enabled: isOpen && may('workflows.view') },
  );

  const pages = navigation.flatMap((group) =>
    group.entries.map(
      ({ key, icon: Icon, place }): SpotlightActionData => ({
        id: `page-${key}`,
        label: t(`nav.${key}`),
        leftSection: <Icon size={18} aria-hidden />,
        onClick: () => void navigate(place.path),
      }),
    ),
  );
  const actions: SpotlightActionData[] = [
    ...(may('sessions.inject')
      ? [
          {
            id: 'inject',
            label: t('sessions.new'),
            leftSection: <IconUpload size={18} aria-hidden />,
            onClick: () => openInjection(),
          },
        ]
      : []),
    {
      id: 'theme',
      label: t('keys.theme'),
      leftSection: <IconMoon size={18} aria-hidden />,
      onClick: () => setPreferences({ theme: theme === 'dark' ? 'light' : 'dark' }),
    },
    {
      id: 'customizer',
      label: t('customizer.title'),
      leftSection: <IconPalette size={18} aria-hidden />,
      onClick: () => openDialog('customizer'),
    },
    {
      id: 'keys',
      label: t('keys.title'),
      leftSection: <IconKeyboard size={18} aria-hidden />,
      onClick: () => openDialog('shortcuts'),
    },
  ];
  const found: SpotlightActionData[] = (sessions.data?.items ?? []).map((session) => ({
    id: session.id,
    label: session.fileName,
    description: `${t(`status.${session.status}`)} · ${session.workflow.name}`,
    // Results of the server's search must also pass the palette's own filter.
    keywords: [search],
    leftSection: <IconFileTypePdf size={18} aria-hidden />,
    onClick: () => void navigate(`/workflows/session/${session.id}`),
  }));
  const flows: SpotlightActionData[] = (workflows.data?.items ?? []).map((workflow) => ({
    id: workflow.id,
    label: workflow.name,
    keywords: [search],
    leftSection: <IconSitemap size={18} aria-hidden />,
    onClick: () => void navigate(`/workflows/edit/${workflow.id}`),
  }));
  return [
    { group: t('palette.pages'), actions: pages },
    { group: t('palette.actions'), actions },
    { group: t('nav.sessions'), actions: found },
    { group: t('nav.workflows'), actions: flows },
  ].filter((group) => group.actions.length > 0);
}
