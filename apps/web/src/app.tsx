import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { useMemo } from 'react';
import { RouterProvider } from 'react-router';
import { queries } from './client/queries.ts';
import { toast } from './constants.ts';
import { router } from './frame/router.tsx';
import { usePreferences } from './preferences/preferences.ts';
import { useTheme } from './preferences/use-theme.ts';
import { cssVariables, makeTheme } from './theme/theme.ts';

export function App() {
  const { primaryLight, primaryDark } = usePreferences();
  const scheme = useTheme();
  const primary = scheme === 'dark' ? primaryDark : primaryLight;
  const theme = useMemo(() => makeTheme(primary), [primary]);
  const variables = useMemo(
    () => cssVariables({ light: primaryLight, dark: primaryDark }),
    [primaryLight, primaryDark],
  );
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      forceColorScheme={scheme}
      deduplicateCssVariables={false}
    >
      <QueryClientProvider client={queries}>
        <Notifications position={toast.position} autoClose={toast.autoClose} limit={5} zIndex={500} />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
