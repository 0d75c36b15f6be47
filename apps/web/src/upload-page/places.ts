import { open, type Place } from '../frame/place.ts';

export const uploadPagePlaces: readonly Place[] = [
  {
    name: 'upload',
    path: '/upload/:user',
    ...open,
    load: async () => (await import('./upload-page-screen.tsx')).UploadPageScreen,
  },
];
