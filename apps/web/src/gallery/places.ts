import { form, type Place } from '../frame/place.ts';

export const galleryPlaces: readonly Place[] = [
  {
    name: 'test',
    path: '/test',
    ...form,
    access: ['settings.general.manage'],
    load: async () => (await import('./gallery-screen.tsx')).GalleryScreen,
  },
];
