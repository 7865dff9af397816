#!/usr/bin/env bash
# Builds the programs of a one-node cluster from the sources that the Go module
# proxy has: apiserver, scheduler, controller-manager and kubelet as one program,
# and CoreDNS. Some seven minutes of processor time and 6 GB of Go's caches, once.
#   k8s/test/build_node.sh FOLDER
set -euo pipefail
kubernetes=1.36.3
coredns=1.14.7
folder=$1
mkdir -p "$folder/module/node" "$folder/module/dns"
cd "$folder/module"
version="$kubernetes+$coredns"
if [[ -x ../node && -x ../dns && $(cat ../version 2>/dev/null) == "$version" ]]; then
  exit 0
fi

export CGO_ENABLED=0 GOFLAGS=-mod=mod
sources=$(cd / && go mod download -json "k8s.io/kubernetes@v$kubernetes" \
            | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
{
  echo "module node"
  echo "go $(sed -n 's/^go //p' "$sources/go.mod")"
  echo "require k8s.io/kubernetes v$kubernetes"
  echo "require github.com/coredns/coredns v$coredns"
  # In its own tree Kubernetes takes these from folders beside it.
  sed -n 's#^\s*\(k8s.io/[a-z-]*\) => ./staging.*#\1#p' "$sources/go.mod" \
    | while read -r part; do echo "replace $part => $part v0.${kubernetes#1.}"; done
} >go.mod
cp "$sources/go.sum" go.sum
chmod u+w go.sum
cat >node/main.go <<'G'
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

func main() {
	commands := map[string]func() *cobra.Command{
		"apiserver":   apiserver.NewAPIServerCommand,
		"controllers": controllers.NewControllerManagerCommand,
		"scheduler":   func() *cobra.Command { return scheduler.NewSchedulerCommand() },
		"kubelet":     func() *cobra.Command { return kubelet.NewKubeletCommand(context.Background()) },
	}
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "node: apiserver, controllers, scheduler or kubelet")
		os.Exit(2)
	}
	command := commands[os.Args[1]]()
	os.Args = os.Args[1:]
	os.Exit(cli.Run(command))
}
G
cat >dns/main.go <<'G'
package main

import (
	"github.com/coredns/coredns/core/dnsserver"
	"github.com/coredns/coredns/coremain"
	_ "github.com/coredns/coredns/plugin/bind"
	_ "github.com/coredns/coredns/plugin/errors"
	_ "github.com/coredns/coredns/plugin/kubernetes"
)

func main() {
	dnsserver.Directives = []string{"bind", "errors", "kubernetes"}
	coremain.Run()
}
G
go build -p 2 -o ../node \
  -ldflags "-s -w -X k8s.io/component-base/version.gitVersion=v$kubernetes" ./node
go build -p 2 -o ../dns -ldflags '-s -w' ./dns
echo "$version" >../version
