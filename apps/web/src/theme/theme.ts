import { type CSSVariablesResolver, createTheme, defaultVariantColorsResolver } from '@mantine/core';
import { overlayBreakpoint } from '../constants.ts';
import { type Hex, primaryShades, ramp } from './colours.ts';
import { amber, type Palette, paletteOf, pasteboard } from './palette.ts';

export type Shape = 'default' | 'bordered';

/** Statuses use these palettes' names; their shades come from our own variables. */
const statusColours = ['success', 'info', 'warning', 'error', 'neutral'];
/** z-index of drawers, dialogs and floating parts; the layers of the frame are in base.css. */
const layers = { drawer: 300, modal: 400, floating: 450 } as const;
const em = (pixels: number) => `${pixels / 16}em`;

export const makeTheme = (primary: Hex) =>
  createTheme({
    fontFamily: '"Inter Variable", "PingFang SC", "Noto Sans SC", "Microsoft YaHei", system-ui, sans-serif',
    fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
    fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
    lineHeights: { xs: '1.4', sm: '1.5', md: '1.5', lg: '1.5', xl: '1.4' },
    headings: {
      fontWeight: '650',
      sizes: {
        h1: { fontSize: '1.375rem', lineHeight: '1.25' },
        h2: { fontSize: '1.125rem', lineHeight: '1.25' },
        h3: { fontSize: '1rem', lineHeight: '1.25' },
        h4: { fontSize: '0.875rem', lineHeight: '1.25' },
      },
    },
    spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
    defaultRadius: 'sm',
    radius: { xs: '4px', sm: '6px', md: '10px', lg: '16px', xl: '24px' },
    breakpoints: { xs: em(480), sm: em(640), md: em(overlayBreakpoint), lg: em(1200), xl: em(1440) },
    colors: { brand: ramp(primary) },
    primaryColor: 'brand',
    primaryShade: 5,
    cursorType: 'pointer',
    focusRing: 'auto',
    respectReducedMotion: true,
    variantColorResolver: (input) => {
      const name = input.color ?? 'brand';
      if (name === 'brand' && input.variant === 'filled') {
        return {
          background: 'var(--p2p-fill)',
          hover: 'var(--p2p-fill-hover)',
          color: 'var(--p2p-on-fill)',
          border: 'none',
        };
      }
      if (
        name === 'brand' &&
        (input.variant === 'light' || input.variant === 'subtle' || input.variant === 'transparent')
      ) {
        return {
          background: input.variant === 'light' ? 'var(--p2p-soft)' : 'transparent',
          hover: input.variant === 'transparent' ? 'transparent' : 'var(--p2p-soft-hover)',
          color: 'var(--p2p-strong)',
          border: 'none',
        };
      }
      if (statusColours.includes(name)) {
        const text = name === 'neutral' ? 'var(--p2p-text)' : `var(--p2p-${name})`;
        const isFilled = input.variant === 'filled';
        const isLight = input.variant === 'light';
        return {
          background: isFilled ? text : isLight ? `var(--p2p-${name}-soft)` : 'transparent',
          hover: isFilled ? text : `var(--p2p-${name}-soft)`,
          color: isFilled ? 'var(--p2p-surface)' : text,
          border: input.variant === 'outline' ? `1px solid ${text}` : 'none',
        };
      }
      return defaultVariantColorsResolver(input);
    },
    components: {
      Button: { defaultProps: { size: 'sm' } },
      // A chosen chip is filled like a button: Mantine writes white on it in both themes.
      Chip: {
        vars: () => ({
          root: {
            '--chip-bg': 'var(--p2p-fill)',
            '--chip-hover': 'var(--p2p-fill)',
            '--chip-color': 'var(--p2p-on-fill)',
          },
        }),
      },
      Tooltip: {
        defaultProps: {
          withArrow: false,
          openDelay: 350,
          // A sentence is read in lines, and stays on the screen.
          multiline: true,
          maw: 320,
          events: { hover: true, focus: true, touch: false },
          zIndex: layers.floating,
        },
      },
      // Mantine marks its focus placeholder as a menu item, which screen readers would announce.
      Menu: {
        defaultProps: {
          shadow: 'md',
          position: 'bottom-end',
          withInitialFocusPlaceholder: false,
          zIndex: layers.floating,
        },
      },
      Popover: { defaultProps: { shadow: 'md', zIndex: layers.floating } },
      Modal: {
        defaultProps: {
          radius: 'md',
          centered: true,
          overlayProps: { backgroundOpacity: 0.4 },
          zIndex: layers.modal,
        },
        styles: { title: { fontSize: 'var(--mantine-font-size-lg)', fontWeight: 650 } },
      },
      Drawer: { defaultProps: { overlayProps: { backgroundOpacity: 0.4 }, zIndex: layers.drawer } },
      Spotlight: { defaultProps: { zIndex: layers.modal } },
      // It lies on a card already and needs no background of its own.
      Fieldset: { styles: { root: { background: 'transparent', borderColor: 'var(--p2p-hairline)' } } },
      Loader: { defaultProps: { type: 'oval' } },
    },
  });

const varName = (key: string) => `--p2p-${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

function variablesOf(primary: Hex, palette: Palette, isDark: boolean): Record<string, string> {
  const shades = primaryShades(primary, { isDark, surface: palette.surface, canvas: palette.canvas });
  const own = Object.fromEntries(
    [...Object.entries(palette), ...Object.entries(shades)].map(([key, hex]) => [varName(key), hex]),
  );
  return {
    ...own,
    // Mantine paints papers, modals and menus with its body colour; the page has its own canvas.
    '--mantine-color-body': palette.surface,
    '--mantine-color-text': palette.text,
    '--mantine-color-dimmed': palette.dimmed,
    '--mantine-color-placeholder': palette.dimmed,
    '--mantine-color-anchor': shades.strong,
    '--mantine-color-error': palette.error,
    '--mantine-color-default': palette.surface,
    '--mantine-color-default-hover': palette.hover,
    '--mantine-color-default-color': palette.text,
    '--mantine-color-default-border': palette.hairline,
    '--mantine-color-disabled': palette.neutralSoft,
    '--mantine-color-disabled-color': palette.dimmed,
    '--mantine-color-disabled-border': palette.hairline,
    '--mantine-primary-color-filled': shades.fill,
    '--mantine-primary-color-filled-hover': shades.fillHover,
    '--mantine-primary-color-light': shades.soft,
    '--mantine-primary-color-light-hover': shades.softHover,
    '--mantine-primary-color-light-color': shades.strong,
    '--mantine-primary-color-contrast': shades.onFill,
    '--mantine-color-brand-filled': shades.fill,
    '--mantine-color-brand-filled-hover': shades.fillHover,
    '--mantine-color-brand-light': shades.soft,
    '--mantine-color-brand-light-hover': shades.softHover,
    '--mantine-color-brand-light-color': shades.strong,
    '--mantine-color-brand-text': shades.strong,
    '--mantine-color-brand-outline': shades.strong,
  };
}

/** Our tokens as CSS variables, `--p2p-*`, for both themes; Mantine's own follow them. */
export const cssVariables =
  (primary: { light: Hex; dark: Hex }): CSSVariablesResolver =>
  () => ({
    variables: { '--p2p-pasteboard': pasteboard, '--p2p-amber': amber },
    light: variablesOf(primary.light, paletteOf(false), false),
    dark: variablesOf(primary.dark, paletteOf(true), true),
  });

/** A theme as inline CSS variables, for parts that keep it in both themes: the dark navigation, light toasts. */
export const themeVariables = (theme: 'light' | 'dark', primary: Hex): Record<string, string> =>
  variablesOf(primary, paletteOf(theme === 'dark'), theme === 'dark');
