import type { CloudProvider } from '@pdf2press/contract';

/** What signing in is asked for. */
interface Wanted {
  /** Files are to be moved or deleted, too. */
  mayWrite: boolean;
  hasLibraries: boolean;
}

const scopes: Readonly<Record<CloudProvider, (wanted: Wanted) => readonly string[]>> = {
  GoogleDrive: ({ mayWrite }) => [`https://www.googleapis.com/auth/drive${mayWrite ? '' : '.readonly'}`],
  OneDrive: ({ mayWrite, hasLibraries }) => [
    `Files.${mayWrite ? 'ReadWrite' : 'Read'}${hasLibraries ? '.All' : ''}`,
    ...(hasLibraries ? ['Sites.Read.All'] : []),
    'offline_access',
  ],
};

/** The scopes that a cloud storage needs, the one without which nothing can be done first. */
export const cloudScopes = (provider: CloudProvider, wanted: Wanted): readonly string[] => scopes[provider](wanted);
